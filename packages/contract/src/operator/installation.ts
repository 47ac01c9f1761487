import { z } from 'zod'
import { FilterAudit } from '../dashboard/audit.ts'
import { environments } from '../scopes.ts'
import { Count, Day, queryBoolean, queryInteger, Timestamp } from '../values.ts'

const Month = z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'must be a month such as 2026-10')

const usageFilter = {
  /** A month in UTC. Otherwise `from` and `to`, both included. */
  month: Month.optional(),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  tenant_id: z.uuid().optional(),
  environment: z.enum(environments).optional(),
  /** A row for each day, instead of one for the period. */
  by_day: queryBoolean().optional(),
}

export type ExportUsage = z.infer<typeof ExportUsage>
export const ExportUsage = z.strictObject(usageFilter)

export type ListOperatorUsage = z.infer<typeof ListOperatorUsage>
export const ListOperatorUsage = z.strictObject({
  ...usageFilter,
  /** How many tenants a page has at most. */
  limit: queryInteger({ min: 1, max: 100, defaultValue: 100 }),
  /** The `next` of the previous page. */
  after: z.uuid().optional(),
})

export type UsageRow = z.infer<typeof UsageRow>
export const UsageRow = z
  .strictObject({
    tenant_id: z.uuid(),
    /** Absent if the tenant was deleted. */
    name: z.string().optional(),
    from: Day,
    to: Day,
    environment: z.enum(environments),
    created: Count,
    completed: Count,
    failed: Count,
    declined: Count,
    expired: Count,
    pending: Count,
    /** It will not change. */
    final: z.boolean(),
  })
  .meta({ id: 'UsageRow' })

export type OperatorUsage = z.infer<typeof OperatorUsage>
export const OperatorUsage = z
  .strictObject({
    from: Day,
    to: Day,
    /** Ordered by tenant and day, live after test. */
    data: z.array(UsageRow),
    next: z.uuid().optional(),
  })
  .meta({ id: 'OperatorUsage' })

const CheckStatus = z.enum(['ok', 'warning', 'wrong'])

export type Health = z.infer<typeof Health>
export const Health = z
  .strictObject({
    checked_at: Timestamp,
    version: z.string(),
    /** What needs attention, as `vidimus doctor` says it, the worst first. Empty if nothing does. */
    attention: z.array(
      z.strictObject({
        check: z.string(),
        status: CheckStatus,
        says: z.string(),
        cure: z.string().optional(),
      }),
    ),
    /** The background loops of the worker that succeeded last. Absent seconds: never. */
    loops: z.array(
      z.strictObject({
        name: z.string(),
        succeeded_at: Timestamp,
        age_seconds: z.number().min(0),
        /** How often it runs at least. */
        interval_seconds: z.number().min(0),
        status: CheckStatus,
      }),
    ),
    /** When any worker was last alive; absent if none ever was. */
    worker_seconds: z.number().min(0).optional(),
    /** What waits, and for how long the oldest of it. */
    queues: z.array(
      z.strictObject({
        name: z.enum(['webhooks', 'audit']),
        waiting: Count,
        oldest_seconds: z.number().min(0),
        status: CheckStatus,
      }),
    ),
    trust_lists: z.array(
      z.strictObject({
        url: z.string(),
        environment: z.enum(environments),
        refreshed_at: Timestamp.optional(),
        trusted_until: Timestamp.optional(),
        anchors: Count,
        status: CheckStatus,
      }),
    ),
    certificates: z.array(
      z.strictObject({
        /** What it is for: the service itself, or a tenant. */
        owner: z.string(),
        subject: z.string(),
        ends_at: Timestamp,
        status: CheckStatus,
      }),
    ),
    partitions: z.strictObject({
      /** For how many days ahead every daily table has one. */
      days_ahead: z.int(),
      status: CheckStatus,
    }),
    database: z.strictObject({
      version: z.string(),
      size_bytes: Count,
      /** Whether its disk takes another write. */
      writable: z.boolean(),
      connections: Count,
      max_connections: Count,
      status: CheckStatus,
    }),
    /** Of the database, the erasure ledger and the checkpoints, as seen by the process that answers. Without bytes: it cannot know them. */
    disks: z.array(
      z.strictObject({
        name: z.enum(['database', 'ledger', 'checkpoints']),
        /** What is left for others than the administrator. */
        free_bytes: Count.optional(),
        total_bytes: Count.optional(),
        status: CheckStatus,
      }),
    ),
  })
  .meta({ id: 'Health' })

export type ListLog = z.infer<typeof ListLog>
export const ListLog = FilterAudit

export type LogVerification = z.infer<typeof LogVerification>
export const LogVerification = z
  .strictObject({
    entries: Count,
    valid: z.boolean(),
    /** The hash of the last entry. */
    head: z.string().optional(),
    /** Entries without their texts, which are kept 400 days. That is no fault. */
    removed: Count,
    /** What was changed, removed or put elsewhere. */
    faults: z.array(z.string()),
  })
  .meta({ id: 'LogVerification' })
