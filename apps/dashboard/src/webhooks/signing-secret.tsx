import { useState } from 'react'
import type { OperationOutput } from '../api/call.ts'
import { useOperationQuery, useOperationMutation } from '../api/queries.ts'
import { useClockOffset, usePermission } from '../shell/shell-context.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog, FormDialog } from '../ui/dialog.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Card, Fact, Facts } from '../ui/page.tsx'
import { CodeBlock, Copyable } from '../ui/copyable.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { formatCountdown, Time, useSecondsUntil } from '../ui/time.tsx'

/** The secret that signs webhooks: revealed on request, and rotated with an overlap of 24 hours (DASH-2). */
export function SigningSecret() {
  const state = useOperationQuery('getWebhookSecret', {})
  const reveal = useOperationMutation('revealWebhookSecret')
  const [canReveal, canRotate] = [usePermission('read_secret'), usePermission('rotate_secret')]
  const [confirmingRotation, setConfirmingRotation] = useState(false)
  const [newSecret, setNewSecret] = useState<string>()
  return (
    <div className="grid gap-6">
      <Card
        title="Signing secret"
        description="Your receiver verifies each message with it. Test and live share one secret."
        actions={canRotate && <Button onClick={() => setConfirmingRotation(true)}>Rotate…</Button>}
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
                onClick={() => (reveal.data === undefined ? reveal.mutate({}) : reveal.reset())}
              >
                {reveal.data === undefined ? 'Show secret' : 'Hide secret'}
              </Button>
            )}
            {reveal.data !== undefined && <CopyButton text={reveal.data.secret} label="Copy secret" />}
          </div>
          {reveal.data !== undefined && <p className="text-sm text-soft">Recorded in the audit log.</p>}
          {!canReveal && <p className="text-sm text-soft">Only owners and admins can reveal it.</p>}
          <Facts>
            <Fact name="In use since">
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
      <Dialog
        open={newSecret !== undefined}
        persistent
        onClose={() => setNewSecret(undefined)}
        title="Copy the new secret now"
        description="For 24 hours messages are signed with both the new and the previous secret. Update your receiver within that time."
      >
        {newSecret !== undefined && <Copyable text={newSecret} label="Copy secret" />}
        <div className="flex justify-end">
          <Button variant="primary" onClick={() => setNewSecret(undefined)}>
            I have copied it
          </Button>
        </div>
      </Dialog>
    </div>
  )
}

function RotationOverlap({ until }: { until: string }) {
  const secondsLeft = useSecondsUntil(until, useClockOffset())
  if (secondsLeft === 0) return null
  return (
    <Card title="Rotation in progress">
      <div className="grid gap-4">
        <p>
          The previous secret expires in{' '}
          <span role="timer" className="tabular font-semibold">
            {formatCountdown(secondsLeft)}
          </span>
          , on <Time at={until} />. Until then the header carries two signatures, the new secret’s first.
          Accept a message if either matches.
        </p>
        <CodeBlock
          text={
            'X-Service-Signature: t=1794718800,\n  v1=<signature with the new secret>,\n  v1=<signature with the previous secret>'
          }
          label="Copy sample header"
        />
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
  const rotate = useOperationMutation('rotateWebhookSecret', ['getWebhookSecret'])
  const close = () => {
    rotate.reset()
    onClose()
  }
  return (
    <FormDialog
      open={open}
      onClose={close}
      title="Rotate signing secret?"
      description="Creates a new secret, shown only once. For 24 hours messages carry both signatures, so nothing breaks while you update your receiver. Rotating again within that time ends the oldest secret at once."
      submit="Rotate secret"
      variant="danger"
      busy={rotate.isPending}
      error={rotate.error}
      onSubmit={() =>
        rotate.mutate(
          {},
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
