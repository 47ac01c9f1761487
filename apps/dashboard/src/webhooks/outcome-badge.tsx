import type { DeliveryAttempt, ForwardedEvent } from '@vidimus/contract'
import { Badge, type Tone } from '../ui/badge.tsx'

type AttemptOutcome = (DeliveryAttempt | ForwardedEvent)['outcome']

const outcomeLabels: Record<AttemptOutcome, [Tone, string]> = {
  delivered: ['good', 'Delivered'],
  failed: ['bad', 'Failed'],
  refused: ['bad', 'Address not allowed'],
  timed_out: ['wait', 'Timed out'],
  interrupted: ['wait', 'Interrupted'],
  unreported: ['wait', 'Not reported'],
}

/** The outcome of an attempt. `refused`: our egress rules do not allow the address, so nothing was sent. */
export function OutcomeBadge({ outcome }: { outcome: AttemptOutcome }) {
  const [tone, label] = outcomeLabels[outcome]
  return (
    <Badge tone={tone} dot>
      {label}
    </Badge>
  )
}
