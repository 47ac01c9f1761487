import { useState } from 'react'
import type { Answer } from '../api/call.ts'
import { useAnswer, useChange } from '../api/queries.ts'
import { useClockOffset, useMay } from '../shell/me.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog, FormDialog } from '../ui/dialog.tsx'
import { Failure } from '../ui/failure.tsx'
import { Card, Fact, Facts } from '../ui/page.tsx'
import { CodeBlock, Copyable } from '../ui/secret.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { clockText, Time, useSecondsUntil } from '../ui/time.tsx'

/** The secret that signs webhooks: shown on demand to those who may, rotated with a day in which both sign (DASH-2). */
export function Secret() {
  const state = useAnswer('getWebhookSecret', {})
  const reveal = useChange('revealWebhookSecret')
  const [reads, rotates] = [useMay('read_secret'), useMay('rotate_secret')]
  const [asking, setAsking] = useState(false)
  const [made, setMade] = useState<string>()
  return (
    <div className="grid gap-6">
      <Card
        title="Signing secret"
        lead="Your receiver checks each message with it. One secret signs for the test and the live environment alike."
        actions={rotates && <Button onClick={() => setAsking(true)}>Rotate…</Button>}
      >
        {state.error !== null && <Failure error={state.error} retry={() => void state.refetch()} />}
        <div className="grid gap-4">
          {reveal.error !== null && <Failure error={reveal.error} inline />}
          <div className="flex flex-wrap items-center justify-end gap-2 rounded-md border border-line bg-sunken py-1.5 pr-1.5 pl-3.5">
            {reveal.data === undefined ? (
              <code className="flex-1 truncate max-sm:basis-full text-sm">whsec_{'•'.repeat(24)}</code>
            ) : (
              <code className="flex-1 text-sm break-all max-sm:basis-full">{reveal.data.secret}</code>
            )}
            {reads && (
              <Button
                size="small"
                look="quiet"
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
          {!reads && <p className="text-sm text-soft">Owners and admins can see it.</p>}
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
      {state.data?.previous_retires_at !== undefined && <Overlap until={state.data.previous_retires_at} />}
      <Rotate
        open={asking}
        onClose={() => setAsking(false)}
        onMade={({ secret }) => (reveal.reset(), setMade(secret))}
      />
      <Dialog
        open={made !== undefined}
        sticky
        onClose={() => setMade(undefined)}
        title="Copy the new secret now"
        description="It already signs, and so does the one before it, for 24 hours. Put the new one into your receiver within that time."
      >
        {made !== undefined && <Copyable text={made} label="Copy secret" />}
        <div className="flex justify-end">
          <Button look="primary" onClick={() => setMade(undefined)}>
            I have copied it
          </Button>
        </div>
      </Dialog>
    </div>
  )
}

function Overlap({ until }: { until: string }) {
  const left = useSecondsUntil(until, useClockOffset())
  if (left === 0) return null
  return (
    <Card title="Both secrets sign">
      <div className="grid gap-4">
        <p>
          The secret before this one stops signing in{' '}
          <span role="timer" className="tabular font-semibold">
            {clockText(left)}
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

function Rotate({
  open,
  onClose,
  onMade,
}: {
  open: boolean
  onClose: () => void
  onMade: (made: Answer<'rotateWebhookSecret'>) => void
}) {
  const rotate = useChange('rotateWebhookSecret', ['getWebhookSecret'])
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
      look="danger"
      busy={rotate.isPending}
      error={rotate.error}
      onSubmit={() =>
        rotate.mutate(
          {},
          {
            onSuccess: (made) => {
              close()
              onMade(made)
            },
          },
        )
      }
    />
  )
}
