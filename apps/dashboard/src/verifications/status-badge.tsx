import type { VerificationSummary } from '@vidimus/contract'
import { useTexts } from '../texts/texts-context.ts'
import { Badge } from '../ui/badge.tsx'
import { statusTones } from './labels.ts'

export function StatusBadge({ status }: Pick<VerificationSummary, 'status'>) {
  const text = useTexts().verifications
  return (
    <Badge tone={statusTones[status]} dot>
      {text.statuses[status]}
    </Badge>
  )
}
