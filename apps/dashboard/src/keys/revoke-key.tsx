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
      successMessage={`“${target.name}” revoked.`}
      title={`Revoke “${target.name}”?`}
      description={
        <>
          Requests with <code>{target.prefix}…</code> will fail with <code>invalid_api_key</code>. This cannot
          be undone. Verifications it created are kept.
        </>
      }
      submit="Revoke key"
      variant="danger"
      onClose={onClose}
    />
  )
}
