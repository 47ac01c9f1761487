import type { DeliveryAttempt, ForwardedEvent } from '@vidimus/contract'
import { Badge, type Tone } from '../ui/badge.tsx'

type AttemptOutcome = (DeliveryAttempt | ForwardedEvent)['outcome']

const outcomeLabels: Record<AttemptOutcome, [Tone, string]> = {
  delivered: ['good', 'Delivered'],
  failed: ['bad', 'Failed'],
  refused: ['bad', 'Refused'],
  timed_out: ['wait', 'Timed out'],
  interrupted: ['wait', 'Interrupted'],
  unreported: ['wait', 'Not reported'],
}

/** What became of an attempt, in a word. `refused`: by our own rules on addresses, before anything left. */
export function OutcomeBadge({ outcome }: { outcome: AttemptOutcome }) {
  const [tone, label] = outcomeLabels[outcome]
  return (
    <Badge tone={tone} dot>
      {label}
    </Badge>
  )
}
