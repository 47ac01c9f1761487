import { maxReceipts, maxReportChanges, maxReportDays, reportSample } from '@vidimus/contract'
import type { Limit } from './limit.ts'

const file = 'packages/contract/src/dashboard/receipts.ts'

export const receiptLimits: readonly Limit[] = [
  {
    what: 'receipts on a page',
    value: maxReceipts,
    unit: 'receipts',
    per: 'request',
    whenExceeded: '400 `invalid_request`; `next_after` continues',
    name: 'maxReceipts',
    file,
  },
  {
    what: 'period of a report',
    value: maxReportDays,
    unit: 'days',
    per: 'request',
    whenExceeded: '400 `invalid_request`',
    name: 'maxReportDays',
    file,
  },
  {
    what: 'changes that a report lists',
    value: maxReportChanges,
    unit: 'changes',
    per: 'report',
    whenExceeded: '`more_changes` is true; the audit log has them all',
    name: 'maxReportChanges',
    file,
  },
  {
    what: 'receipts in the sample of a report',
    value: reportSample,
    unit: 'receipts',
    per: 'report',
    whenExceeded: 'no more are picked',
    name: 'reportSample',
    file,
  },
]
