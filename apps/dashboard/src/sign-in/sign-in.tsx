import { useEffect } from 'react'
import { useMutation } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { Building2, Fingerprint } from 'lucide-react'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { call } from '../api/call.ts'
import { signWithPasskey } from '../api/passkey.ts'
import { queryClient } from '../api/operation-hooks.ts'
import { operationQuery, useOperationQuery } from '../api/queries.ts'
import type { Texts } from '../texts/languages.ts'
import { Sentence } from '../texts/sentence.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { orderCells, startPasskeySignIn, startProviderSignIn, takeCellsToTry } from './find-cell.ts'
import { SignInLayout } from './sign-in-layout.tsx'

/** A path of the dashboard, or its start page: the query string is untrusted. */
export function safeReturnPath(path: string | undefined): string {
  return path !== undefined && /^\/dashboard(?:\/[^/\\]|\/?$)/.test(path) ? path : '/dashboard/'
}

export function SignIn() {
  const text = useTexts().sign_in
  const { return_to, error: callbackError, other, elsewhere } = useSearch({ from: '/sign-in' })
  const methods = useOperationQuery('getSignIn', {})
  const withPasskey = useMutation({
    mutationFn: async () => {
      const { cells } = await queryClient.ensureQueryData(operationQuery('getSignIn', {}))
      const response = await signWithPasskey(await startPasskeySignIn(cells))
      await call('finishPasskeySignIn', { json: { response } })
    },
    // A full page load, so that nothing of the previous user stays in memory.
    onSuccess: () => location.assign(safeReturnPath(return_to)),
  })
  const withProvider = useMutation({
    mutationFn: (given: { cells: string[]; return_to: string }) =>
      startProviderSignIn(given.cells, safeReturnPath(given.return_to)),
  })
  const tryProvider = withProvider.mutate
  useEffect(() => {
    if (elsewhere === undefined) return
    const next = takeCellsToTry()
    if (next.cells.length > 0) tryProvider(next)
  }, [elsewhere, tryProvider])
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
            onClick={() =>
              withProvider.mutate({
                cells: orderCells(methods.data?.cells, other),
                return_to: safeReturnPath(return_to),
              })
            }
          >
            {fillIn(text.with_provider, { provider: methods.data.oidc_host ?? text.your_organisation })}
          </Button>
        )}
      </div>
      {error !== null && <ErrorMessage error={error} inline />}
      {error === null && callbackError !== undefined && !withProvider.isPending && (
        <ErrorMessage error={new Error(explainCallbackError(callbackError, text.callback_errors))} inline />
      )}
      {methods.data?.sign_up !== undefined && (
        <p className="text-sm">
          {text.no_account}{' '}
          <Link to="/sign-up" className="font-medium text-accent hover:underline">
            {text.sign_up.title}
          </Link>
        </p>
      )}
      <p className="text-sm text-soft">
        <Sentence text={text.help} values={{ command: <code>vidimus admin member invite</code> }} />
      </p>
    </SignInLayout>
  )
}

/** Why the callback from the identity provider was refused. */
function explainCallbackError(code: string, text: Texts['sign_in']['callback_errors']): string {
  if (code === 'invalid_invitation') return text.invalid_invitation
  return code === 'sign_in_unavailable' ? text.sign_in_unavailable : text.other
}
