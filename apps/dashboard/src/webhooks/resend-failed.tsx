import { useState } from 'react'
import { RotateCw } from 'lucide-react'
import { useOperationMutation, useOperationQuery } from '../api/queries.ts'
import { useEnvironment, usePermission } from '../shell/shell-context.ts'
import { useFormats, useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { FormDialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { useToast } from '../ui/toast.tsx'
import { toLocalInput } from './local-input.ts'

const day_ms = 86_400_000

/** Resends all events that failed since a time, and shows how far that has come (HOOK-19). */
export function ResendFailed({ endpoint_id }: { endpoint_id: string | undefined }) {
  const text = useTexts().webhook_endpoints.resend
  const formats = useFormats()
  const environment = useEnvironment()
  const canSend = usePermission('send_webhooks')
  const state = useOperationQuery('getResend', { params: { environment } })
  const resend = useOperationMutation('resendFailed', ['getResend', 'listDeliveries'])
  const showToast = useToast()
  const [since, setSince] = useState<string>()
  const latest = state.data?.latest
  const close = () => {
    resend.reset()
    setSince(undefined)
  }
  const submit = () => {
    const at = new Date(since ?? '')
    if (Number.isNaN(at.getTime())) return
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
        <Button
          size="small"
          icon={<RotateCw className="size-4" aria-hidden />}
          onClick={() => setSince(toLocalInput(new Date(Date.now() - day_ms)))}
        >
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
        <TextField
          label={text.since}
          type="datetime-local"
          required
          value={since ?? ''}
          onChange={({ target }) => setSince(target.value)}
        />
      </FormDialog>
    </div>
  )
}
