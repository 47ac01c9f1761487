import { useNavigate } from '@tanstack/react-router'
import type { OperationOutput } from '../api/call.ts'
import { useOperationMutation } from '../api/queries.ts'
import { useFormats, useTexts } from '../texts/texts-context.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { useToast } from '../ui/toast.tsx'

type EraseProps = {
  detail: OperationOutput<'getVerification'>
  environment: 'test' | 'live'
  onClose: () => void
}

type Table = keyof EraseProps['detail']['erasable']

/** What an erasure deletes. */
const tables = [
  'verification_sessions',
  'verification_results',
  'webhook_deliveries',
] as const satisfies readonly Table[]

export function EraseVerification({ detail, environment, onClose }: EraseProps) {
  const text = useTexts().verifications.erase
  const formats = useFormats()
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
        onSuccess: () => {
          showToast(text.erased)
          void navigate({
            to: '/$environment/verifications',
            params: { environment },
            search: (filter) => filter,
          })
        },
      },
    )
  return (
    <FormDialog
      open
      onClose={onClose}
      title={text.title}
      description={text.description}
      submit={text.submit}
      variant="danger"
      busy={erase.isPending}
      error={erase.error}
      onSubmit={submit}
    >
      <ul className="grid gap-1.5 rounded-md bg-sunken px-4 py-3 text-sm">
        {tables.map((table) => (
          <li key={table} className="tabular">
            {formats.count(text.rows[table], detail.erasable[table])}
          </li>
        ))}
      </ul>
    </FormDialog>
  )
}
