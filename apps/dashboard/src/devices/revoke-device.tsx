import type { DashboardDevice } from '@vidimus/contract'
import { useEnvironment } from '../shell/shell-context.ts'
import { ChangeDialog } from '../ui/change-dialog.tsx'

export function RevokeDevice({ target, onClose }: { target: DashboardDevice; onClose: () => void }) {
  const environment = useEnvironment()
  return (
    <ChangeDialog
      op="revokeDevice"
      input={{ params: { environment, id: target.id } }}
      invalidates={['listDevices', 'getOverview']}
      successMessage={`“${target.name}” is revoked.`}
      title={`Revoke “${target.name}”?`}
      description={
        target.status === 'pending'
          ? 'Its pairing code stops working. Nothing else happens: the device was never paired.'
          : 'Every token it holds stops working at once, and it shows its pairing screen again. Checks that it has begun can still be answered, but it will not see them. This cannot be undone; to use it again, register it again.'
      }
      submit="Revoke device"
      variant="danger"
      onClose={onClose}
    />
  )
}
