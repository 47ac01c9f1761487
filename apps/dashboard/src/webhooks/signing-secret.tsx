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

/** The secret that signs webhooks: shown on demand to those who may, rotated with a day in which both sign (DASH-2). */
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
        description="Your receiver checks each message with it. One secret signs for the test and the live environment alike."
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
          {reveal.data !== undefined && (
            <p className="text-sm text-soft">That you looked is in the audit log.</p>
          )}
          {!canReveal && <p className="text-sm text-soft">Owners and admins can see it.</p>}
          <Facts>
            <Fact name="Signs since">
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
        description="It already signs, and so does the one before it, for 24 hours. Put the new one into your receiver within that time."
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
    <Card title="Both secrets sign">
      <div className="grid gap-4">
        <p>
          The secret before this one stops signing in{' '}
          <span role="timer" className="tabular font-semibold">
            {formatCountdown(secondsLeft)}
          </span>
          , at <Time at={until} />. Until then the header carries two signatures, the new secret’s first; a
          receiver accepts a message when either matches.
        </p>
        <CodeBlock
          text={
            'X-Service-Signature: t=1794718800,\n  v1=<signature by the new secret>,\n  v1=<signature by the one before>'
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
      title="Rotate the signing secret?"
      description="A new secret is made and shown once. For 24 hours both sign, so nothing breaks while you change your receiver. A second rotation within that day ends the older one at once."
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
