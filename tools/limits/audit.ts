import { maxDownloads, maxExportsRead } from '../../apps/service/src/audit/verify/download-export.ts'
import { maxEntriesScanned } from '../../apps/service/src/audit/list.ts'
import { verifyLimits } from '../../apps/service/src/audit/verify/verify.ts'
import type { Limit } from './limit.ts'

const download = { file: 'apps/service/src/audit/verify/download-export.ts', unit: 'exports' }

export const auditLimits: readonly Limit[] = [
  {
    what: 'time for a statement of `audit verify`',
    value: verifyLimits.statement_ms,
    unit: 'ms',
    per: 'statement',
    beyond: 'the command fails',
    name: 'verifyLimits.statement_ms',
    file: 'apps/service/src/audit/verify/verify.ts',
  },
  {
    what: 'exports at a time',
    value: maxDownloads.each,
    per: 'tenant and process',
    beyond: '429 `rate_limit_exceeded`',
    name: 'maxDownloads.each',
    ...download,
  },
  {
    what: 'exports at a time',
    value: maxDownloads.all,
    per: 'process',
    beyond: '503 `overloaded`',
    name: 'maxDownloads.all',
    ...download,
  },
  {
    what: 'exports that read from the database at a time',
    value: maxExportsRead.all,
    per: 'process',
    beyond: '503 `overloaded`',
    name: 'maxExportsRead.all',
    ...download,
  },
  {
    what: 'entries that one page of the audit log looks through',
    value: maxEntriesScanned,
    unit: 'entries',
    per: 'request',
    beyond: 'the page says where the next one goes on',
    name: 'reach',
    file: 'apps/service/src/audit/list.ts',
  },
]
