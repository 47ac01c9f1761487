import type { ListedDevice } from '@vidimus/contract'
import { useChange } from '../api/queries.ts'
import { useEnvironment } from '../shell/me.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { useSay } from '../ui/toast.tsx'

export function RevokeDevice({ target, onClose }: { target: ListedDevice | undefined; onClose: () => void }) {
  const environment = useEnvironment()
  const revoke = useChange('revokeDevice', ['listDevices', 'getOverview'])
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
        target.status === 'pending'
          ? 'Its pairing code stops working. Nothing else happens: the device was never paired.'
          : 'Every token it holds stops working at once, and it shows its pairing screen again. Checks that it has begun can still be answered, but it will not see them. This cannot be undone; to use it again, register it again.'
      }
      submit="Revoke device"
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
