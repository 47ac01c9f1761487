import { useState } from 'react'
import type { OperationOutput } from '../api/call.ts'
import { useOperationMutation, useOperationQuery } from '../api/queries.ts'
import { useFormats, useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { ChangeDialog } from '../ui/change-dialog.tsx'
import { FormDialog } from '../ui/dialog.tsx'
import { SecretDialog } from '../ui/secret-dialog.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { TextField } from '../ui/field.tsx'
import { Card, Fact, Facts } from '../ui/page.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Time } from '../ui/time.tsx'
import { useToast } from '../ui/toast.tsx'

type Webhook = NonNullable<OperationOutput<'getAlertWebhook'>['webhook']>

/** Where the tenant's systems receive alerts. */
export function AlertWebhook() {
  const text = useTexts().alerts.webhook
  const state = useOperationQuery('getAlertWebhook', {})
  const [dialog, setDialog] = useState<'rotate' | 'remove'>()
  const [secret, setSecret] = useState<string>()
  const webhook = state.data?.webhook
  return (
    <Card
      title={text.title}
      description={text.description}
      actions={
        webhook !== undefined && (
          <span className="flex flex-wrap gap-2">
            <Button onClick={() => setDialog('rotate')}>{text.rotate}</Button>
            <Button onClick={() => setDialog('remove')}>{text.remove}</Button>
          </span>
        )
      }
    >
      {state.error !== null && <ErrorMessage error={state.error} retry={() => void state.refetch()} />}
      {state.isPending && <SkeletonRows rows={2} />}
      {state.data !== undefined && (
        <div className="grid gap-5">
          <UrlForm key={webhook?.url} url={webhook?.url ?? ''} onSecret={setSecret} />
          {webhook !== undefined && <LastAttempt webhook={webhook} />}
        </div>
      )}
      {dialog === 'rotate' && <Rotate onClose={() => setDialog(undefined)} onSecret={setSecret} />}
      {dialog === 'remove' && (
        <ChangeDialog
          op="removeAlertWebhook"
          input={{}}
          invalidates={['getAlertWebhook']}
          successMessage={text.removed}
          title={text.remove_title}
          description={text.remove_description}
          submit={text.remove_submit}
          variant="danger"
          onClose={() => setDialog(undefined)}
        />
      )}
      <SecretDialog
        secret={secret}
        onClose={() => setSecret(undefined)}
        title={text.secret_title}
        description={text.secret_description}
        copy={text.copy_secret}
        copied={text.copied}
      />
    </Card>
  )
}

function LastAttempt({ webhook: { last_attempt_at, last_outcome, waiting } }: { webhook: Webhook }) {
  const text = useTexts().alerts.webhook
  const formats = useFormats()
  return (
    <Facts>
      <Fact name={text.last_attempt}>
        {last_attempt_at === undefined ? (
          text.never
        ) : (
          <>
            <Time at={last_attempt_at} form="relative" />: {last_outcome}
          </>
        )}
      </Fact>
      <Fact name={text.waiting}>
        <span className="tabular">{formats.integer(waiting)}</span>
      </Fact>
    </Facts>
  )
}

function UrlForm({ url, onSecret }: { url: string; onSecret: (secret: string) => void }) {
  const text = useTexts().alerts.webhook
  const [value, setValue] = useState(url)
  const [submitted, setSubmitted] = useState(false)
  const save = useOperationMutation('setAlertWebhook', ['getAlertWebhook'])
  const showToast = useToast()
  const isValid = /^https?:\/\/\S+$/.test(value.trim())
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setSubmitted(true)
        if (!isValid) return
        save.mutate(
          { json: { url: value.trim() } },
          {
            onSuccess: ({ secret }) => {
              showToast(text.saved)
              if (secret !== undefined) onSecret(secret)
            },
          },
        )
      }}
    >
      <TextField
        label={text.url}
        type="url"
        hint={text.hint}
        maxLength={2048}
        placeholder="https://ops.example/alerts"
        value={value}
        onChange={({ target }) => setValue(target.value)}
        error={submitted && !isValid ? text.url_invalid : undefined}
      />
      {save.error !== null && <ErrorMessage error={save.error} inline />}
      <div>
        <Button type="submit" variant="primary" busy={save.isPending}>
          {text.save}
        </Button>
      </div>
    </form>
  )
}

function Rotate({ onClose, onSecret }: { onClose: () => void; onSecret: (secret: string) => void }) {
  const text = useTexts().alerts.webhook
  const rotate = useOperationMutation('rotateAlertSecret', ['getAlertWebhook'])
  return (
    <FormDialog
      open
      onClose={onClose}
      title={text.rotate_title}
      description={text.rotate_description}
      submit={text.rotate_submit}
      busy={rotate.isPending}
      error={rotate.error}
      onSubmit={() =>
        rotate.mutate(
          {},
          {
            onSuccess: ({ secret }) => {
              onClose()
              if (secret !== undefined) onSecret(secret)
            },
          },
        )
      }
    />
  )
}
