import type { DashboardDevice } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useEnvironment } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { ChangeDialog } from '../ui/change-dialog.tsx'

export function RevokeDevice({ target, onClose }: { target: DashboardDevice; onClose: () => void }) {
  const text = useTexts().devices.revoke
  const { name } = target
  const environment = useEnvironment()
  return (
    <ChangeDialog
      op="revokeDevice"
      input={{ params: { environment, id: target.id } }}
      invalidates={['listDevices', 'getOverview']}
      successMessage={fillIn(text.done, { name })}
      title={fillIn(text.title, { name })}
      description={target.status === 'pending' ? text.pending : text.active}
      submit={text.submit}
      variant="danger"
      onClose={onClose}
    />
  )
}
