import type { Key } from '@vidimus/contract'
import { useChange } from '../api/queries.ts'
import { useEnvironment } from '../shell/me.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { useSay } from '../ui/toast.tsx'

export function RevokeKey({ target, onClose }: { target: Key | undefined; onClose: () => void }) {
  const environment = useEnvironment()
  const revoke = useChange('revokeKey', ['listKeys', 'getOverview'])
  const say = useSay()
  const close = () => {
    revoke.reset()
    onClose()
  }
  if (target === undefined) return null
  return (
    <FormDialog
      open
      onClose={close}
      title={`Revoke “${target.name}”?`}
      description={
        <>
          The next request with <code>{target.prefix}…</code> is refused with <code>invalid_api_key</code>.
          This cannot be undone; verifications that it created stay.
        </>
      }
      submit="Revoke key"
      look="danger"
      busy={revoke.isPending}
      error={revoke.error}
      onSubmit={() =>
        revoke.mutate(
          { params: { environment, id: target.id } },
          {
            onSuccess: () => {
              say(`“${target.name}” is revoked.`)
              close()
            },
          },
        )
      }
    />
  )
}
