import type { VerificationSummary } from '@vidimus/contract'
import { Badge } from '../ui/badge.tsx'
import { statusLabels } from './labels.ts'

export function StatusBadge({ status }: Pick<VerificationSummary, 'status'>) {
  const [tone, label] = statusLabels[status]
  return (
    <Badge tone={tone} dot>
      {label}
    </Badge>
  )
}
