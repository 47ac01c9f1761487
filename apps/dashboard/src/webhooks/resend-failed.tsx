import { useState } from 'react'
import { RotateCw } from 'lucide-react'
import { useOperationMutation, useOperationQuery } from '../api/queries.ts'
import { useEnvironment, usePermission } from '../shell/shell-context.ts'
import { useFormats, useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { FormDialog } from '../ui/dialog.tsx'
import { SelectField } from '../ui/field.tsx'
import { useToast } from '../ui/toast.tsx'

const hour_ms = 3_600_000
const hours = [1, 24, 7 * 24, 30 * 24]

/** Resends all events that failed since a time, and shows how far that has come. */
export function ResendFailed({ endpoint_id }: { endpoint_id: string | undefined }) {
  const text = useTexts().webhook_endpoints.resend
  const formats = useFormats()
  const environment = useEnvironment()
  const canSend = usePermission('send_webhooks')
  const state = useOperationQuery('getResend', { params: { environment } })
  const resend = useOperationMutation('resendFailed', ['getResend', 'listDeliveries'])
  const showToast = useToast()
  const [since, setSince] = useState<number>()
  const latest = state.data?.latest
  const close = () => {
    resend.reset()
    setSince(undefined)
  }
  const submit = () => {
    if (since === undefined) return
    const at = new Date(Date.now() - since * hour_ms)
    const json = { since: at.toISOString(), ...(endpoint_id !== undefined && { endpoint_id }) }
    resend.mutate(
      { params: { environment }, json },
      { onSuccess: () => (close(), showToast(text.requested)) },
    )
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p role="status" className="text-sm text-soft">
        {latest !== undefined &&
          (latest.finished_at === undefined
            ? formats.count(text.running, latest.queued)
            : formats.count(text.finished, latest.queued, {
                at: formats.dateTime(new Date(latest.finished_at)),
              }))}
      </p>
      {canSend && (
        <Button size="small" icon={<RotateCw className="size-4" aria-hidden />} onClick={() => setSince(24)}>
          {text.button}
        </Button>
      )}
      <FormDialog
        open={since !== undefined}
        onClose={close}
        title={text.title}
        description={text.description}
        submit={text.submit}
        busy={resend.isPending}
        error={resend.error}
        onSubmit={submit}
      >
        <SelectField
          label={text.since}
          value={String(since)}
          onChange={({ target }) => setSince(Number(target.value))}
        >
          {hours.map((each) => (
            <option key={each} value={each}>
              {each <= 24 ? formats.relative(-each, 'hour') : formats.relative(-each / 24, 'day')}
            </option>
          ))}
        </SelectField>
      </FormDialog>
    </div>
  )
}
