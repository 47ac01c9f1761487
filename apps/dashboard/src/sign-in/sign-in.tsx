import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Building2, Fingerprint } from 'lucide-react'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { call } from '../api/call.ts'
import { signWithPasskey } from '../api/passkey.ts'
import { useOperationQuery } from '../api/queries.ts'
import type { Texts } from '../texts/languages.ts'
import { Sentence } from '../texts/sentence.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { SignInLayout } from './sign-in-layout.tsx'

/** A path of the dashboard, or its start page: the query string is untrusted. */
export function safeReturnPath(path: string | undefined): string {
  return path !== undefined && /^\/dashboard(?:\/[^/\\]|\/?$)/.test(path) ? path : '/dashboard/'
}

export function SignIn() {
  const text = useTexts().sign_in
  const { return_to, error: callbackError } = useSearch({ from: '/sign-in' })
  const methods = useOperationQuery('getSignIn', {})
  const withPasskey = useMutation({
    mutationFn: async () => {
      const { options } = await call('startPasskeySignIn', {})
      await call('finishPasskeySignIn', { json: { response: await signWithPasskey(options) } })
    },
    // A full page load, so that nothing of the previous user stays in memory.
    onSuccess: () => location.assign(safeReturnPath(return_to)),
  })
  const withProvider = useMutation({
    mutationFn: () => call('startOidcSignIn', { json: { return_to: safeReturnPath(return_to) } }),
    onSuccess: ({ location: providerUrl }) => location.assign(providerUrl),
  })
  const error = withPasskey.error ?? withProvider.error
  return (
    <SignInLayout title={text.title} description={text.description}>
      <div className="grid gap-3">
        <Button
          variant="primary"
          size="large"
          icon={<Fingerprint className="size-5" aria-hidden />}
          busy={withPasskey.isPending || withPasskey.isSuccess}
          onClick={() => withPasskey.mutate()}
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
            {fillIn(text.with_provider, { provider: methods.data.oidc_host ?? text.your_organisation })}
          </Button>
        )}
      </div>
      {error !== null && <ErrorMessage error={error} inline />}
      {error === null && callbackError !== undefined && (
        <ErrorMessage error={new Error(explainCallbackError(callbackError, text.callback_errors))} inline />
      )}
      <p className="text-sm text-soft">
        <Sentence text={text.help} values={{ command: <code>vidimus member invite</code> }} />
      </p>
    </SignInLayout>
  )
}

/** Why the callback from the identity provider was refused. */
function explainCallbackError(code: string, text: Texts['sign_in']['callback_errors']): string {
  if (code === 'invalid_invitation') return text.invalid_invitation
  return code === 'sign_in_unavailable' ? text.sign_in_unavailable : text.other
}
