import type { LinkState } from '@vidimus/contract'
import { useTexts } from '../texts/texts-context.ts'
import { Badge } from '../ui/badge.tsx'

const tones = { active: 'good', inactive: 'plain', expired: 'wait', used: 'plain' } as const

export function LinkStateBadge({ state }: { state: LinkState }) {
  const text = useTexts().links
  return <Badge tone={tones[state]}>{text.states[state]}</Badge>
}
