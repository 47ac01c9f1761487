import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Mail } from 'lucide-react'
import { call } from '../api/call.ts'
import { useOperationQuery } from '../api/queries.ts'
import { Sentence } from '../texts/sentence.tsx'
import { useLanguage, useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { focusFirstInvalidField, TextField } from '../ui/field.tsx'
import { SignInLayout } from './sign-in-layout.tsx'

/** Asks for a link by mail. What it shows afterwards is the same for every address. */
export function SignUp() {
  const text = useTexts().sign_in.sign_up
  const methods = useOperationQuery('getSignIn', {})
  const [sentTo, setSentTo] = useState<string>()
  if (methods.data !== undefined && methods.data.sign_up === undefined)
    return (
      <SignInLayout title={text.off_title} description={text.off}>
        <ToSignIn />
      </SignInLayout>
    )
  if (sentTo !== undefined)
    return (
      <SignInLayout
        title={text.sent_title}
        description={
          <Sentence
            text={text.sent}
            values={{ email: <strong className="font-semibold text-ink wrap-anywhere">{sentTo}</strong> }}
          />
        }
      >
        <ToSignIn />
      </SignInLayout>
    )
  return (
    <SignInLayout title={text.title} description={text.description}>
      <SignUpForm onSent={setSentTo} />
      <p className="text-sm text-soft">{methods.data?.sign_up && text[methods.data.sign_up]}</p>
      <ToSignIn />
    </SignInLayout>
  )
}

function SignUpForm({ onSent }: { onSent: (email: string) => void }) {
  const text = useTexts().sign_in.sign_up
  const [language] = useLanguage()
  const [organisation, setOrganisation] = useState('')
  const [email, setEmail] = useState('')
  const [submitted, setSubmitted] = useState(false)
  const given = { organisation: organisation.trim(), email: email.trim() }
  const request = useMutation({
    mutationFn: () => call('requestSignUp', { json: { ...given, language } }),
    onSuccess: () => onSent(given.email),
  })
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setSubmitted(true)
        focusFirstInvalidField(event.currentTarget)
        if (given.organisation !== '' && given.email !== '') request.mutate()
      }}
    >
      <TextField
        label={text.organisation}
        autoComplete="organization"
        maxLength={200}
        value={organisation}
        onChange={(event) => setOrganisation(event.target.value)}
        error={submitted && given.organisation === '' ? text.organisation_missing : undefined}
      />
      <TextField
        label={text.email}
        type="email"
        autoComplete="email"
        maxLength={254}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        error={submitted && given.email === '' ? text.email_missing : undefined}
      />
      <Button
        type="submit"
        variant="primary"
        size="large"
        icon={<Mail className="size-5" aria-hidden />}
        busy={request.isPending}
      >
        {text.submit}
      </Button>
      {request.error !== null && <ErrorMessage error={request.error} inline />}
    </form>
  )
}

function ToSignIn() {
  const { title, sign_up: text } = useTexts().sign_in
  return (
    <p className="text-sm">
      {text.have_account}{' '}
      <Link to="/sign-in" className="font-medium text-accent hover:underline">
        {title}
      </Link>
    </p>
  )
}
