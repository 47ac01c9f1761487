import { useState } from 'react'
import type { OperationOutput } from '../api/call.ts'
import { useOperationQuery, useOperationMutation } from '../api/queries.ts'
import { useClockOffset, useEnvironment, usePermission } from '../shell/shell-context.ts'
import { Sentence } from '../texts/sentence.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { FormDialog } from '../ui/dialog.tsx'
import { SecretDialog } from '../ui/secret-dialog.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Card, Fact, Facts } from '../ui/page.tsx'
import { CodeBlock } from '../ui/copyable.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { formatCountdown, Time, useSecondsUntil } from '../ui/time.tsx'

const sampleHeader =
  'X-Service-Signature: t=1794718800,\n  v1=<signature with the new secret>,\n  v1=<signature with the previous secret>'

/** The secret that signs webhooks: revealed on request, and rotated with an overlap of 24 hours (DASH-2). */
export function SigningSecret() {
  const { webhooks } = useTexts()
  const text = webhooks.secret
  const environment = useEnvironment()
  const state = useOperationQuery('getWebhookSecret', { params: { environment } })
  const reveal = useOperationMutation('revealWebhookSecret')
  const [canReveal, canRotate] = [usePermission('read_secret'), usePermission('rotate_secret')]
  const [confirmingRotation, setConfirmingRotation] = useState(false)
  const [newSecret, setNewSecret] = useState<string>()
  return (
    <div className="grid gap-6">
      <Card
        title={text.title}
        description={text.description}
        actions={canRotate && <Button onClick={() => setConfirmingRotation(true)}>{text.rotate}</Button>}
      >
        {state.error !== null && <ErrorMessage error={state.error} retry={() => void state.refetch()} />}
        <div className="grid gap-4">
          {reveal.error !== null && <ErrorMessage error={reveal.error} inline />}
          <div className="flex flex-wrap items-center justify-end gap-2 rounded-md border border-line bg-sunken py-1.5 pr-1.5 pl-3.5">
            {reveal.data === undefined ? (
              <code className="flex-1 truncate max-sm:basis-full text-sm">whsec_{'•'.repeat(24)}</code>
            ) : (
              <code className="flex-1 text-sm break-all max-sm:basis-full">{reveal.data.secret}</code>
            )}
            {canReveal && (
              <Button
                size="small"
                variant="quiet"
                busy={reveal.isPending}
                onClick={() =>
                  reveal.data === undefined ? reveal.mutate({ params: { environment } }) : reveal.reset()
                }
              >
                {reveal.data === undefined ? text.show : text.hide}
              </Button>
            )}
            {reveal.data !== undefined && <CopyButton text={reveal.data.secret} label={text.copy} />}
          </div>
          {reveal.data !== undefined && <p className="text-sm text-soft">{webhooks.recorded}</p>}
          {!canReveal && <p className="text-sm text-soft">{text.only_admins}</p>}
          <Facts>
            <Fact name={text.in_use_since}>
              {state.data === undefined ? (
                <Skeleton className="h-5 w-40" />
              ) : (
                <Time at={state.data.created_at} utc />
              )}
            </Fact>
          </Facts>
        </div>
      </Card>
      {state.data?.previous_retires_at !== undefined && (
        <RotationOverlap until={state.data.previous_retires_at} />
      )}
      <RotateSecret
        open={confirmingRotation}
        onClose={() => setConfirmingRotation(false)}
        onRotated={({ secret }) => (reveal.reset(), setNewSecret(secret))}
      />
      <SecretDialog
        secret={newSecret}
        onClose={() => setNewSecret(undefined)}
        title={text.new_title}
        description={text.new_description}
        copy={text.copy}
        copied={text.copied}
      />
    </div>
  )
}

function RotationOverlap({ until }: { until: string }) {
  const text = useTexts().webhooks.secret
  const secondsLeft = useSecondsUntil(until, useClockOffset())
  if (secondsLeft === 0) return null
  return (
    <Card title={text.rotation}>
      <div className="grid gap-4">
        <p>
          <Sentence
            text={text.rotation_text}
            values={{
              countdown: (
                <span role="timer" className="tabular font-semibold">
                  {formatCountdown(secondsLeft)}
                </span>
              ),
              at: <Time at={until} />,
            }}
          />
        </p>
        <CodeBlock text={sampleHeader} label={text.copy_header} />
      </div>
    </Card>
  )
}

function RotateSecret({
  open,
  onClose,
  onRotated,
}: {
  open: boolean
  onClose: () => void
  onRotated: (newSecret: OperationOutput<'rotateWebhookSecret'>) => void
}) {
  const text = useTexts().webhooks.secret
  const environment = useEnvironment()
  const rotate = useOperationMutation('rotateWebhookSecret', ['getWebhookSecret'])
  const close = () => {
    rotate.reset()
    onClose()
  }
  return (
    <FormDialog
      open={open}
      onClose={close}
      title={text.rotate_title}
      description={text.rotate_description}
      submit={text.rotate_submit}
      variant="danger"
      busy={rotate.isPending}
      error={rotate.error}
      onSubmit={() =>
        rotate.mutate(
          { params: { environment } },
          {
            onSuccess: (newSecret) => {
              close()
              onRotated(newSecret)
            },
          },
        )
      }
    />
  )
}
