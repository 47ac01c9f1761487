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

const tables = [
  ['verification_sessions', 'session', 'sessions'],
  ['verification_results', 'result with its claims', 'results with their claims'],
  ['webhook_deliveries', 'row of the delivery log', 'rows of the delivery log'],
] as const

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
          showToast(`Erased: ${rows} ${rows === 1 ? 'row' : 'rows'} are gone for good.`)
          void navigate({ to: '/$environment/verifications', params: { environment } })
        },
      },
    )
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Erase this verification?"
      description="It goes for good, from every table, and cannot be brought back. The audit log keeps that one was made and erased, without what could name a person."
      submit="Erase for good"
      variant="danger"
      busy={erase.isPending}
      error={erase.error}
      onSubmit={submit}
    >
      <ul className="grid gap-1.5 rounded-md bg-sunken px-4 py-3 text-sm">
        {tables.map(([table, one, many]) => (
          <li key={table}>
            <span className="tabular font-semibold">{detail.erasable[table]}</span>{' '}
            {detail.erasable[table] === 1 ? one : many}
          </li>
        ))}
      </ul>
    </FormDialog>
  )
}
