import type { Registration } from '@vidimus/contract'
import { useTexts } from '../texts/texts-context.ts'
import { Badge, type Tone } from '../ui/badge.tsx'

const tones: Record<Registration['state'], Tone> = {
  ok: 'good',
  warning: 'wait',
  fail: 'bad',
}

export function StateBadge({ state }: { state: Registration['state'] }) {
  const text = useTexts().registrations.states
  return (
    <Badge tone={tones[state]} dot>
      {text[state]}
    </Badge>
  )
}
