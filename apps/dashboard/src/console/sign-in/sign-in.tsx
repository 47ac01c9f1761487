import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Fingerprint } from 'lucide-react'
import { signWithPasskey } from '../../api/passkey.ts'
import { SignInLayout } from '../../sign-in/sign-in-layout.tsx'
import { Sentence } from '../../texts/sentence.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { call } from '../api.ts'
import { useConsoleTexts } from '../texts/console-texts.ts'

/** A path of the console, or its start page: the query string is untrusted. */
function safeReturnPath(path: string | undefined): string {
  return path !== undefined && /^\/console(?:\/[^/\\]|\/?$)/.test(path) ? path : '/console/'
}

export function SignIn() {
  const { sign_in: text, shell } = useConsoleTexts()
  const { return_to } = useSearch({ from: '/sign-in' })
  const signIn = useMutation({
    mutationFn: async () => {
      const { options } = await call('startSignIn', {})
      await call('finishSignIn', { json: { response: await signWithPasskey(options) } })
    },
    // A full page load, so that nothing of the previous operator stays in memory.
    onSuccess: () => location.assign(safeReturnPath(return_to)),
  })
  return (
    <SignInLayout app={shell.app} title={text.title} description={text.description}>
      <Button
        variant="primary"
        size="large"
        icon={<Fingerprint className="size-5" aria-hidden />}
        busy={signIn.isPending || signIn.isSuccess}
        onClick={() => signIn.mutate()}
      >
        {text.with_passkey}
      </Button>
      {signIn.error !== null && <ErrorMessage error={signIn.error} inline />}
      <p className="text-sm text-soft">
        <Sentence text={text.help} values={{ command: <code>vidimus admin operator invite</code> }} />
      </p>
    </SignInLayout>
  )
}
