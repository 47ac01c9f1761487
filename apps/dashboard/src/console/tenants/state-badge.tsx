import type { OperatorTenant } from '@vidimus/contract'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { useConsoleTexts } from '../texts/console-texts.ts'

const tones: Record<OperatorTenant['state'], Tone> = { active: 'good', suspended: 'wait', closed: 'plain' }

export function StateBadge({ state }: Pick<OperatorTenant, 'state'>) {
  return (
    <Badge tone={tones[state]} dot>
      {useConsoleTexts().tenants.states[state]}
    </Badge>
  )
}
