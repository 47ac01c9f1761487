import type { Delivery } from '@vidimus/contract'
import { Badge, type Tone } from '../ui/badge.tsx'

const words: Record<Delivery['outcome'], [Tone, string]> = {
  delivered: ['good', 'Delivered'],
  failed: ['bad', 'Failed'],
  refused: ['bad', 'Refused'],
  timed_out: ['wait', 'Timed out'],
  interrupted: ['wait', 'Interrupted'],
}

/** What became of an attempt, in a word. `refused`: by our own rules on addresses, before anything left. */
export function OutcomeBadge({ outcome }: { outcome: Delivery['outcome'] }) {
  const [tone, word] = words[outcome]
  return (
    <Badge tone={tone} dot>
      {word}
    </Badge>
  )
}
