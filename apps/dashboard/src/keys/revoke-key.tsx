import type { Key } from '@vidimus/contract'
import { useEnvironment } from '../shell/shell-context.ts'
import { ChangeDialog } from '../ui/change-dialog.tsx'

export function RevokeKey({ target, onClose }: { target: Key; onClose: () => void }) {
  const environment = useEnvironment()
  return (
    <ChangeDialog
      op="revokeKey"
      input={{ params: { environment, id: target.id } }}
      invalidates={['listKeys', 'getOverview']}
      successMessage={`“${target.name}” is revoked.`}
      title={`Revoke “${target.name}”?`}
      description={
        <>
          The next request with <code>{target.prefix}…</code> is refused with <code>invalid_api_key</code>.
          This cannot be undone; verifications that it created stay.
        </>
      }
      submit="Revoke key"
      variant="danger"
      onClose={onClose}
    />
  )
}
