import { useState } from 'react'
import { useOperationMutation } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { Fact, Facts } from '../ui/page.tsx'
import { CodeBlock } from '../ui/copyable.tsx'
import { OutcomeBadge } from './outcome-badge.tsx'

/** Sends one signed test message and shows the response. */
export function SendTestEvent({ open, onClose }: { open: boolean; onClose: () => void }) {
  const environment = useEnvironment()
  const send = useOperationMutation('sendTestEvent')
  const [url, setUrl] = useState('')
  const [submitted, setSubmitted] = useState(false)
  const urlIsValid = /^https?:\/\/[^\s]+$/.test(url)
  const close = () => {
    send.reset()
    setSubmitted(false)
    onClose()
  }
  return (
    <FormDialog
      open={open}
      persistent
      wide
      onClose={close}
      title="Send test event"
      description="A signed message of type webhook.test, without a verification. Sent once. Not retried, not counted."
      submit={send.data === undefined ? 'Send' : 'Send again'}
      busy={send.isPending}
      error={send.error}
      onSubmit={() => {
        setSubmitted(true)
        if (urlIsValid) send.mutate({ params: { environment }, json: { url } })
      }}
    >
      <TextField
        label="URL"
        type="url"
        inputMode="url"
        placeholder="https://shop.example/hooks/vidimus"
        hint={
          url.startsWith('http:')
            ? 'http is not encrypted: anyone on the way can read the claims. Use https.'
            : 'Public addresses only. For your own machine, use vidimus listen.'
        }
        value={url}
        onChange={({ target }) => setUrl(target.value.trim())}
        error={submitted && !urlIsValid ? 'Enter an http or https URL.' : undefined}
      />
      {send.data !== undefined && (
        <div role="status" className="grid gap-4">
          <Facts>
            <Fact name="Outcome">
              <OutcomeBadge outcome={send.data.outcome} />
            </Fact>
            {send.data.status !== undefined && <Fact name="Status">{send.data.status}</Fact>}
            <Fact name="Duration">{send.data.duration_ms} ms</Fact>
            {send.data.error !== undefined && <Fact name="Reason">{send.data.error}</Fact>}
          </Facts>
          <CodeBlock
            text={`X-Service-Signature: ${send.data.signature}\n\n${send.data.body}`}
            label="Copy message"
          />
        </div>
      )}
    </FormDialog>
  )
}
