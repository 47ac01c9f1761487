import { useState } from 'react'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useOperationMutation } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { Fact, Facts } from '../ui/page.tsx'
import { CodeBlock } from '../ui/copyable.tsx'
import { OutcomeBadge } from './outcome-badge.tsx'

/** Sends one signed test message and shows the response. */
export function SendTestEvent({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { webhooks, common } = useTexts()
  const text = webhooks.test_event
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
      title={text.title}
      description={text.description}
      submit={send.data === undefined ? text.submit : text.again}
      busy={send.isPending}
      error={send.error}
      onSubmit={() => {
        setSubmitted(true)
        if (urlIsValid) send.mutate({ params: { environment }, json: { url } })
      }}
    >
      <TextField
        label={text.url}
        type="url"
        inputMode="url"
        placeholder="https://shop.example/hooks/vidimus"
        hint={url.startsWith('http:') ? text.url_unencrypted : text.url_hint}
        value={url}
        onChange={({ target }) => setUrl(target.value.trim())}
        error={submitted && !urlIsValid ? text.url_invalid : undefined}
      />
      {send.data !== undefined && (
        <div role="status" className="grid gap-4">
          <Facts>
            <Fact name={webhooks.outcome}>
              <OutcomeBadge outcome={send.data.outcome} />
            </Fact>
            {send.data.status !== undefined && <Fact name={common.status}>{send.data.status}</Fact>}
            <Fact name={webhooks.duration}>
              {fillIn(webhooks.duration_ms, { duration: send.data.duration_ms })}
            </Fact>
            {send.data.error !== undefined && <Fact name={text.reason}>{send.data.error}</Fact>}
          </Facts>
          <CodeBlock
            text={`X-Service-Signature: ${send.data.signature}\n\n${send.data.body}`}
            label={text.copy_message}
          />
        </div>
      )}
    </FormDialog>
  )
}
