import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Building2, Fingerprint } from 'lucide-react'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { signWithPasskey } from '../../api/passkey.ts'
import { SignInLayout } from '../../sign-in/sign-in-layout.tsx'
import { Sentence } from '../../texts/sentence.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { call, useOperationQuery } from '../api.ts'
import { type ConsoleTexts, useConsoleTexts } from '../texts/console-texts.ts'

/** A path of the console, or its start page: the query string is untrusted. */
function safeReturnPath(path: string | undefined): string {
  return path !== undefined && /^\/console(?:\/[^/\\]|\/?$)/.test(path) ? path : '/console/'
}

export function SignIn() {
  const { sign_in: text, shell } = useConsoleTexts()
  const { return_to, error: callbackError } = useSearch({ from: '/sign-in' })
  const methods = useOperationQuery('getSignIn', {})
  const signIn = useMutation({
    mutationFn: async () => {
      const { options } = await call('startSignIn', {})
      await call('finishSignIn', { json: { response: await signWithPasskey(options) } })
    },
    // A full page load, so that nothing of the previous operator stays in memory.
    onSuccess: () => location.assign(safeReturnPath(return_to)),
  })
  const withProvider = useMutation({
    mutationFn: () => call('startOidcSignIn', { json: { return_to: safeReturnPath(return_to) } }),
    onSuccess: ({ location: provider }) => location.assign(provider),
  })
  const error = signIn.error ?? withProvider.error
  return (
    <SignInLayout app={shell.app} title={text.title} description={text.description}>
      <div className="grid gap-3">
        <Button
          variant="primary"
          size="large"
          icon={<Fingerprint className="size-5" aria-hidden />}
          busy={signIn.isPending || signIn.isSuccess}
          onClick={() => signIn.mutate()}
        >
          {text.with_passkey}
        </Button>
        {methods.data?.oidc === true && (
          <Button
            size="large"
            icon={<Building2 className="size-5" aria-hidden />}
            busy={withProvider.isPending || withProvider.isSuccess}
            onClick={() => withProvider.mutate()}
          >
            {fillIn(text.with_provider, { provider: methods.data.oidc_host ?? '' })}
          </Button>
        )}
      </div>
      {error !== null && <ErrorMessage error={error} inline />}
      {error === null && callbackError !== undefined && !withProvider.isPending && (
        <ErrorMessage error={new Error(explainCallbackError(callbackError, text.callback_errors))} inline />
      )}
      <p className="text-sm text-soft">
        <Sentence text={text.help} values={{ command: <code>vidimus admin operator invite</code> }} />
      </p>
    </SignInLayout>
  )
}

/** Why the callback from the identity provider was refused. */
function explainCallbackError(code: string, text: ConsoleTexts['sign_in']['callback_errors']): string {
  return code === 'invalid_invitation' ? text.invalid_invitation : text.other
}
