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
      successMessage={`“${target.name}” revoked.`}
      title={`Revoke “${target.name}”?`}
      description={
        target.status === 'pending'
          ? 'Its pairing code stops working. The device was never paired.'
          : 'All its tokens stop working at once and it returns to its pairing screen. It will not see the results of checks in progress. To use it again, register it again.'
      }
      submit="Revoke device"
      variant="danger"
      onClose={onClose}
    />
  )
}
