import { maxHandovers } from '@vidimus/evidence'
import { maxDownloads, maxExportsRead } from '../../apps/service/src/audit/verify/download-export.ts'
import { maxEntriesScanned } from '../../apps/service/src/audit/listing/list-audit.ts'
import { verifyLimits } from '../../apps/service/src/audit/verify/verify.ts'
import type { Limit } from './limit.ts'

const download = { file: 'apps/service/src/audit/verify/download-export.ts', unit: 'exports' }

export const auditLimits: readonly Limit[] = [
  {
    what: 'replacements of the audit key',
    value: maxHandovers,
    unit: 'handovers',
    per: 'cell',
    whenExceeded: '`admin audit rotate-key` refuses; the check refuses a file with more',
    name: 'maxHandovers',
    file: 'packages/evidence/src/log/handover.ts',
  },
  {
    what: 'time for a statement of `admin audit verify`',
    value: verifyLimits.statement_ms,
    unit: 'ms',
    per: 'statement',
    whenExceeded: 'the command fails',
    name: 'verifyLimits.statement_ms',
    file: 'apps/service/src/audit/verify/verify.ts',
  },
  {
    what: 'concurrent exports',
    value: maxDownloads.each,
    per: 'tenant and process',
    whenExceeded: '429 `rate_limit_exceeded`',
    name: 'maxDownloads.each',
    ...download,
  },
  {
    what: 'concurrent exports',
    value: maxDownloads.all,
    per: 'process',
    whenExceeded: '503 `overloaded`',
    name: 'maxDownloads.all',
    ...download,
  },
  {
    what: 'exports reading from the database concurrently',
    value: maxExportsRead.all,
    per: 'process',
    whenExceeded: '503 `overloaded`',
    name: 'maxExportsRead.all',
    ...download,
  },
  {
    what: 'entries scanned for one page of the audit log',
    value: maxEntriesScanned,
    unit: 'entries',
    per: 'request',
    whenExceeded: 'the page ends early and says where to continue',
    name: 'maxEntriesScanned',
    file: 'apps/service/src/audit/listing/list-audit.ts',
  },
]
