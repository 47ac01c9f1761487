import type { DeliveryAttempt, ForwardedEvent } from '@vidimus/contract'
import { Badge, type Tone } from '../ui/badge.tsx'

type Outcome = (DeliveryAttempt | ForwardedEvent)['outcome']

const words: Record<Outcome, [Tone, string]> = {
  delivered: ['good', 'Delivered'],
  failed: ['bad', 'Failed'],
  refused: ['bad', 'Refused'],
  timed_out: ['wait', 'Timed out'],
  interrupted: ['wait', 'Interrupted'],
  unreported: ['wait', 'Not reported'],
}

/** What became of an attempt, in a word. `refused`: by our own rules on addresses, before anything left. */
export function OutcomeBadge({ outcome }: { outcome: Outcome }) {
  const [tone, word] = words[outcome]
  return (
    <Badge tone={tone} dot>
      {word}
    </Badge>
  )
}
