import type { ListedVerification } from '@vidimus/contract'
import { Badge } from '../ui/badge.tsx'
import { statusWords } from './words.ts'

export function StatusBadge({ status }: Pick<ListedVerification, 'status'>) {
  const [tone, word] = statusWords[status]
  return (
    <Badge tone={tone} dot>
      {word}
    </Badge>
  )
}
