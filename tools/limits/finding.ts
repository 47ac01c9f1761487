import { maxAuditCsvDownloads, maxEntriesInCsv } from '../../apps/service/src/audit/listing/list-audit.ts'
import { logDays, maxRequestsScanned } from '../../apps/service/src/dashboard/request-log/list-requests.ts'
import { fullRate, recorderBounds, sampleRatio } from '../../apps/service/src/dashboard/request-log/record.ts'
import { maxCsvDownloads, maxExported } from '../../apps/service/src/verifications/dashboard/export.ts'
import { maxDaysScanned, maxScanned } from '../../apps/service/src/verifications/read/list-verifications.ts'
import { maxFoundOfKind } from '../../packages/contract/src/dashboard/search.ts'
import type { Limit } from './limit.ts'

const scan = {
  per: 'page of a filtered list, or search',
  file: 'apps/service/src/verifications/read/list-verifications.ts',
  whenExceeded: 'a page ends early and says where to continue; a search ends',
}
const record = { file: 'apps/service/src/dashboard/request-log/record.ts', per: 'process' }
const sample = { file: 'apps/service/src/dashboard/request-log/record.ts' }
const csv = { file: 'apps/service/src/verifications/dashboard/export.ts' }
const auditCsv = { file: 'apps/service/src/audit/listing/list-audit.ts' }

export const findingLimits: readonly Limit[] = [
  { what: 'verifications scanned', value: maxScanned, unit: 'verifications', name: 'maxScanned', ...scan },
  { what: 'days scanned', value: maxDaysScanned, unit: 'days', name: 'maxDaysScanned', ...scan },
  {
    what: 'age of requests in the request log',
    value: logDays,
    unit: 'days',
    per: 'request',
    name: 'logDays',
    file: 'apps/service/src/dashboard/request-log/list-requests.ts',
    whenExceeded: 'not shown, then dropped',
  },
  {
    what: 'requests scanned',
    value: maxRequestsScanned,
    unit: 'requests',
    per: 'page of the request log',
    name: 'maxRequestsScanned',
    file: 'apps/service/src/dashboard/request-log/list-requests.ts',
    whenExceeded: 'the page ends early and says where to continue',
  },
  {
    what: 'requests recorded in full, successes and failures each',
    value: fullRate,
    unit: 'requests a second',
    per: 'tenant, environment and process',
    name: 'fullRate',
    whenExceeded: `one in ${sampleRatio} is recorded`,
    ...sample,
  },
  {
    what: 'requests that wait to be recorded',
    value: recorderBounds.waiting,
    unit: 'requests',
    name: 'recorderBounds.waiting',
    whenExceeded: 'not recorded, but counted',
    ...record,
  },
  {
    what: 'requests recorded by one statement',
    value: recorderBounds.batch,
    unit: 'requests',
    name: 'recorderBounds.batch',
    whenExceeded: 'the next statement',
    ...record,
  },
  {
    what: 'results of a search',
    value: maxFoundOfKind,
    unit: 'results',
    per: 'kind',
    name: 'maxFoundOfKind',
    file: 'packages/contract/src/dashboard/search.ts',
    whenExceeded: 'the newest are shown',
  },
  {
    what: 'verifications in a CSV file',
    value: maxExported,
    unit: 'verifications',
    per: 'download',
    name: 'maxExported',
    whenExceeded: 'the file ends with a line that says so',
    ...csv,
  },
  {
    what: 'downloads of verifications as CSV',
    value: maxCsvDownloads.each,
    unit: 'downloads',
    per: 'tenant and process',
    name: 'maxCsvDownloads.each',
    whenExceeded: '429 `rate_limit_exceeded`',
    ...csv,
  },
  {
    what: 'downloads of verifications as CSV',
    value: maxCsvDownloads.all,
    unit: 'downloads',
    per: 'process',
    name: 'maxCsvDownloads.all',
    whenExceeded: '503 `overloaded`',
    ...csv,
  },
  {
    what: 'audit entries in a CSV file',
    value: maxEntriesInCsv,
    unit: 'entries',
    per: 'download',
    name: 'maxEntriesInCsv',
    whenExceeded: 'the file ends with a line that says so',
    ...auditCsv,
  },
  {
    what: 'downloads of audit entries as CSV',
    value: maxAuditCsvDownloads.each,
    unit: 'downloads',
    per: 'tenant and process',
    name: 'maxAuditCsvDownloads.each',
    whenExceeded: '429 `rate_limit_exceeded`',
    ...auditCsv,
  },
  {
    what: 'downloads of audit entries as CSV',
    value: maxAuditCsvDownloads.all,
    unit: 'downloads',
    per: 'process',
    name: 'maxAuditCsvDownloads.all',
    whenExceeded: '503 `overloaded`',
    ...auditCsv,
  },
]
