import { z } from 'zod'
import { AuditKey, AuditList } from '../dashboard/audit.ts'
import {
  ExportUsage,
  Health,
  ListLog,
  ListOperatorUsage,
  LogVerification,
  OperatorUsage,
} from './installation.ts'
import { operatorPaths as at } from './paths.ts'
import type { OperatorRoute } from './route.ts'
import { FoundById, SearchById } from './tenants.ts'

const EntryNumber = z
  .string()
  .regex(/^[1-9]\d{0,14}$/)
  .transform(Number)

/** Usage, health, search and the installation's log. */
export const operatorInstallationRoutes = {
  listUsage: {
    ...at.listUsage,
    summary: 'List what tenants used in a period, test and live apart, by outcome; deleted tenants are in it',
    may: 'read_usage',
    confirmed: false,
    query: ListOperatorUsage,
    success: { status: 200, body: OperatorUsage },
  },
  exportUsage: {
    ...at.exportUsage,
    summary: 'Export the same as CSV',
    may: 'read_usage',
    confirmed: false,
    stream: true,
    query: ExportUsage,
    success: { status: 200, body: z.string(), media: 'text/csv; charset=utf-8' },
  },
  getHealth: {
    ...at.getHealth,
    summary:
      'Get the state of the installation: loops, queues, trust lists, certificates, partitions, database',
    may: 'read_health',
    confirmed: false,
    success: { status: 200, body: Health },
  },
  search: {
    ...at.search,
    summary: 'Find the tenant, state and times of a verification, or a tenant, by id. Never claims',
    may: 'search',
    confirmed: false,
    query: SearchById,
    success: { status: 200, body: FoundById },
  },
  listLog: {
    ...at.listLog,
    summary: "List the entries of the installation's log, newest first",
    may: 'read_log',
    confirmed: false,
    query: ListLog,
    success: { status: 200, body: AuditList },
  },
  getLogKey: {
    ...at.getLogKey,
    summary: 'Get the key that signs checkpoints of the log',
    may: 'read_log',
    confirmed: false,
    success: { status: 200, body: AuditKey },
  },
  proveLogEntry: {
    ...at.proveLogEntry,
    summary: 'Get one line that proves that an entry is in the signed log; `vidimus audit check` checks it',
    may: 'read_log',
    confirmed: false,
    params: z.object({ seq: EntryNumber }),
    not_found: 'not_found',
    success: { status: 200, body: z.string(), media: 'application/jsonl' },
  },
  verifyLog: {
    ...at.verifyLog,
    summary: "Check the installation's log against its signatures",
    may: 'read_log',
    confirmed: false,
    success: { status: 200, body: LogVerification },
    refusals: ['overloaded'],
  },
} satisfies Record<string, OperatorRoute>
