import { useState } from 'react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { Building2, Fingerprint } from 'lucide-react'
import type { Invitation } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { call } from '../api/call.ts'
import { createPasskey } from '../api/passkey.ts'
import { Sentence } from '../texts/sentence.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { focusFirstInvalidField, TextField } from '../ui/field.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Time } from '../ui/time.tsx'
import { SignInLayout } from './sign-in-layout.tsx'

/** The token is in the fragment, which browsers never send to a server. */
export function AcceptInvitation() {
  const text = useTexts().sign_in.invitation
  const token = useLocation({ select: ({ hash }) => hash })
  const invitation = useQuery({
    queryKey: ['readInvitation', token],
    queryFn: () => call('readInvitation', { json: { token } }),
    staleTime: Infinity,
    retry: false,
  })
  if (invitation.error !== null) {
    return (
      <SignInLayout title={text.invalid_title} description={text.invalid_text}>
        <ErrorMessage error={invitation.error} inline />
      </SignInLayout>
    )
  }
  if (invitation.data === undefined) {
    return (
      <SignInLayout title={text.title} description={<Skeleton className="h-5 w-72" />}>
        <Skeleton className="h-12 w-full" />
      </SignInLayout>
    )
  }
  return <AcceptForm key={token} token={token} invitation={invitation.data} />
}

function AcceptForm({ token, invitation }: { token: string; invitation: Invitation }) {
  const {
    common,
    sign_in: { invitation: text, your_organisation: yourOrganisation },
  } = useTexts()
  const [name, setName] = useState('')
  const [submitted, setSubmitted] = useState(false)
  const trimmedName = name.trim()
  const withPasskey = useMutation({
    mutationFn: async () => {
      const { options } = await call('startPasskeyOfInvitation', { json: { token, name: trimmedName } })
      await call('acceptWithPasskey', {
        json: { token, name: trimmedName, response: await createPasskey(options) },
      })
    },
    onSuccess: () => location.assign('/dashboard/'),
  })
  const withProvider = useMutation({
    mutationFn: () => call('acceptWithOidc', { json: { token, name: trimmedName } }),
    onSuccess: ({ location: providerUrl }) => location.assign(providerUrl),
  })
  const error = withPasskey.error ?? withProvider.error
  const submitWith = (method: { mutate: () => void }) => {
    setSubmitted(true)
    focusFirstInvalidField(document.querySelector('main'))
    if (trimmedName !== '') method.mutate()
  }
  return (
    <SignInLayout
      title={
        invitation.returning
          ? text.welcome_back
          : fillIn(invitation.signing_up ? text.open : text.join, { tenant: invitation.tenant_name })
      }
      description={
        <Sentence
          text={invitation.returning ? text.returning : invitation.signing_up ? text.opening : text.invited}
          values={{
            email: <strong className="font-semibold text-ink">{invitation.email}</strong>,
            role: common.roles[invitation.role],
            at: <Time at={invitation.expires_at} />,
          }}
        />
      }
    >
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submitWith(withPasskey)
        }}
      >
        <TextField
          label={text.your_name}
          hint={text.your_name_hint}
          autoComplete="name"
          maxLength={80}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={submitted && trimmedName === '' ? text.name_missing : undefined}
        />
        <Button
          type="submit"
          variant="primary"
          size="large"
          icon={<Fingerprint className="size-5" aria-hidden />}
          busy={withPasskey.isPending || withPasskey.isSuccess}
        >
          {text.create_passkey}
        </Button>
        {invitation.methods.oidc && (
          <Button
            size="large"
            icon={<Building2 className="size-5" aria-hidden />}
            busy={withProvider.isPending || withProvider.isSuccess}
            onClick={() => submitWith(withProvider)}
          >
            {fillIn(text.continue_with, { provider: invitation.methods.oidc_host ?? yourOrganisation })}
          </Button>
        )}
      </form>
      {error !== null && <ErrorMessage error={error} inline />}
    </SignInLayout>
  )
}
