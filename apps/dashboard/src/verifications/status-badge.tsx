import type { VerificationSummary } from '@vidimus/contract'
import { Badge } from '../ui/badge.tsx'
import { statusWords } from './words.ts'

export function StatusBadge({ status }: Pick<VerificationSummary, 'status'>) {
  const [tone, word] = statusWords[status]
  return (
    <Badge tone={tone} dot>
      {word}
    </Badge>
  )
}
