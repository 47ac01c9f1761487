import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Building2, Fingerprint } from 'lucide-react'
import { call } from '../api/call.ts'
import { signWithPasskey } from '../api/passkey.ts'
import { useOperationQuery } from '../api/queries.ts'
import { Button } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { SignInLayout } from './sign-in-layout.tsx'

/** A path of the dashboard, or its start page: the query string is untrusted. */
export function safeReturnPath(path: string | undefined): string {
  return path !== undefined && /^\/dashboard(?:\/[^/\\]|\/?$)/.test(path) ? path : '/dashboard/'
}

export function SignIn() {
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
    <SignInLayout
      title="Sign in"
      description="Use a passkey: your fingerprint, your face or your device PIN. There are no passwords."
    >
      <div className="grid gap-3">
        <Button
          variant="primary"
          size="large"
          icon={<Fingerprint className="size-5" aria-hidden />}
          busy={withPasskey.isPending || withPasskey.isSuccess}
          onClick={() => withPasskey.mutate()}
        >
          Sign in with a passkey
        </Button>
        {methods.data?.oidc === true && (
          <Button
            size="large"
            icon={<Building2 className="size-5" aria-hidden />}
            busy={withProvider.isPending || withProvider.isSuccess}
            onClick={() => withProvider.mutate()}
          >
            Sign in with {methods.data.oidc_host ?? 'your organisation'}
          </Button>
        )}
      </div>
      {error !== null && <ErrorMessage error={error} inline />}
      {error === null && callbackError !== undefined && (
        <ErrorMessage error={new Error(explainCallbackError(callbackError))} inline />
      )}
      <p className="text-sm text-soft">
        New here, or lost your passkey? Ask an owner or admin of your team for a link. Operators create one
        with <code>vidimus member invite</code>.
      </p>
    </SignInLayout>
  )
}

/** Why the callback from the identity provider was refused. */
function explainCallbackError(code: string): string {
  if (code === 'invalid_invitation')
    return 'The invitation has expired or was already used. Ask for a new one.'
  if (code === 'sign_in_unavailable') return 'Your identity provider is not responding. Try again later.'
  return 'This account cannot sign in here. Ask an owner of your team for an invitation.'
}
