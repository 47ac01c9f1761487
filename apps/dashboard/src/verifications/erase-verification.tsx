import { useNavigate } from '@tanstack/react-router'
import type { OperationOutput } from '../api/call.ts'
import { useOperationMutation } from '../api/queries.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { useToast } from '../ui/toast.tsx'

type EraseProps = {
  detail: OperationOutput<'getVerification'>
  environment: 'test' | 'live'
  onClose: () => void
}

type Table = keyof EraseProps['detail']['erasable']

/** What an erasure deletes, in the singular and the plural. */
const rowLabels: Record<Table, [string, string]> = {
  verification_sessions: ['session', 'sessions'],
  verification_results: ['result with its claims', 'results with their claims'],
  webhook_deliveries: ['delivery log entry', 'delivery log entries'],
}
const tables = Object.keys(rowLabels) as Table[]

export function EraseVerification({ detail, environment, onClose }: EraseProps) {
  const erase = useOperationMutation('eraseVerification', [
    'listVerifications',
    'getOverview',
    'listDeliveries',
  ])
  const navigate = useNavigate()
  const showToast = useToast()
  const submit = () =>
    erase.mutate(
      { params: { environment, id: detail.id } },
      {
        onSuccess: ({ deleted }) => {
          const rows = Object.values(deleted).reduce((sum, count) => sum + count, 0)
          showToast(`Verification erased: ${rows} ${rows === 1 ? 'row' : 'rows'} deleted.`)
          void navigate({ to: '/$environment/verifications', params: { environment } })
        },
      },
    )
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Erase this verification?"
      description="This deletes it permanently and cannot be undone. The audit log records that a verification was created and erased, without personal data."
      submit="Erase permanently"
      variant="danger"
      busy={erase.isPending}
      error={erase.error}
      onSubmit={submit}
    >
      <ul className="grid gap-1.5 rounded-md bg-sunken px-4 py-3 text-sm">
        {tables.map((table) => (
          <li key={table}>
            <span className="tabular font-semibold">{detail.erasable[table]}</span>{' '}
            {rowLabels[table][detail.erasable[table] === 1 ? 0 : 1]}
          </li>
        ))}
      </ul>
    </FormDialog>
  )
}
