import type { DeliveryAttempt, ForwardedEvent } from '@vidimus/contract'
import { useTexts } from '../texts/texts-context.ts'
import { Badge, type Tone } from '../ui/badge.tsx'

type AttemptOutcome = (DeliveryAttempt | ForwardedEvent)['outcome']

const outcomeTones: Record<AttemptOutcome, Tone> = {
  delivered: 'good',
  failed: 'bad',
  refused: 'bad',
  timed_out: 'wait',
  interrupted: 'wait',
  unknown: 'wait',
  unreported: 'wait',
}

/** The outcome of an attempt. `refused`: nothing was sent, because our egress rules do not allow the address, or the endpoint is disabled. */
export function OutcomeBadge({ outcome }: { outcome: AttemptOutcome }) {
  const text = useTexts().webhooks
  return (
    <Badge tone={outcomeTones[outcome]} dot>
      {text.outcomes[outcome]}
    </Badge>
  )
}
