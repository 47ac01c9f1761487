import { reach } from '../../apps/service/src/audit/list.ts'
import type { Limit } from './limit.ts'

export const auditLimits: readonly Limit[] = [
  {
    what: 'entries that one page of the audit log looks through',
    value: reach,
    unit: 'entries',
    per: 'request',
    beyond: 'the page says where the next one goes on',
    name: 'reach',
    file: 'apps/service/src/audit/list.ts',
  },
]
