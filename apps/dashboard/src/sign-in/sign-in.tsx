import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Building2, Fingerprint } from 'lucide-react'
import { call } from '../api/call.ts'
import { signWithPasskey } from '../api/passkey.ts'
import { useOperationQuery } from '../api/queries.ts'
import { Button } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { SignInLayout } from './sign-in-layout.tsx'

/** A path of ours and nothing else: what an address asks for is not to be trusted. */
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
    // A whole page load: nothing that an earlier reader saw stays in memory.
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
      description="With a passkey: your fingerprint, your face, or the lock of your device. There is no password."
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
        New here, or lost your passkey? An owner or admin of your team makes you a link, or whoever runs the
        service does, with <code>vidimus member invite</code>.
      </p>
    </SignInLayout>
  )
}

/** What the way back from a provider was refused for. */
function explainCallbackError(code: string): string {
  if (code === 'invalid_invitation') return 'The invitation has lapsed or was used. Ask for a new one.'
  if (code === 'sign_in_unavailable') return 'Your organisation’s provider does not answer. Try again later.'
  return 'That account could not be signed in here. Ask an owner of your team for an invitation.'
}
