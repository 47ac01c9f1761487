import { useState } from 'react'
import { useOperationMutation } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { Fact, Facts } from '../ui/page.tsx'
import { CodeBlock } from '../ui/copyable.tsx'
import { OutcomeBadge } from './outcome-badge.tsx'

/** Sends a signed message with made-up content, once, and shows what came back. */
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
      title="Send a test event"
      description="A signed message of the type webhook.test, as any other but without a verification. It is sent once and counts for nothing."
      submit={send.data === undefined ? 'Send' : 'Send again'}
      busy={send.isPending}
      error={send.error}
      onSubmit={() => {
        setSubmitted(true)
        if (urlIsValid) send.mutate({ params: { environment }, json: { url } })
      }}
    >
      <TextField
        label="Address"
        type="url"
        inputMode="url"
        placeholder="https://shop.example/hooks/vidimus"
        hint="Public addresses only. For your own machine use vidimus listen."
        value={url}
        onChange={({ target }) => setUrl(target.value.trim())}
        error={submitted && !urlIsValid ? 'Enter an http or https address.' : undefined}
      />
      {send.data !== undefined && (
        <div role="status" className="grid gap-4">
          <Facts>
            <Fact name="Outcome">
              <OutcomeBadge outcome={send.data.outcome} />
            </Fact>
            {send.data.status !== undefined && <Fact name="Status">{send.data.status}</Fact>}
            <Fact name="Took">{send.data.duration_ms} ms</Fact>
            {send.data.error !== undefined && <Fact name="Reason">{send.data.error}</Fact>}
          </Facts>
          <CodeBlock
            text={`X-Service-Signature: ${send.data.signature}\n\n${send.data.body}`}
            label="Copy what was sent"
          />
        </div>
      )}
    </FormDialog>
  )
}
