import { z } from 'zod'
import { Alert } from '../alerts.ts'
import { Count, Timestamp } from '../values.ts'

/** A warning on the overview page. The page provides the text. */
export type OverviewWarning = z.infer<typeof OverviewWarning>
export const OverviewWarning = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('quota_nearly_spent'), used: Count, daily_quota: Count }),
  z.strictObject({ kind: z.literal('webhooks_exhausted'), events: Count, last_at: Timestamp }),
  z.strictObject({
    kind: z.literal('device_revoked_by_reuse'),
    device_id: z.string(),
    device_name: z.string(),
    at: Timestamp,
  }),
  z.strictObject({ kind: z.literal('certificate_lapses'), expires_at: Timestamp, lapsed: z.boolean() }),
  z.strictObject({
    kind: z.literal('trust_list_lapses'),
    url: z.string(),
    trusted_until: Timestamp.optional(),
    lapsed: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal('key_expires'),
    key_id: z.string(),
    name: z.string(),
    expires_at: Timestamp,
  }),
  z.strictObject({ kind: z.literal('alert'), alert: Alert }),
])

export type Overview = z.infer<typeof Overview>
export const Overview = z
  .strictObject({
    /** The steps to a first verification; true if done. */
    checklist: z.strictObject({
      key_created: z.boolean(),
      verification_created: z.boolean(),
      verification_completed: z.boolean(),
      webhook_delivered: z.boolean(),
      device_paired: z.boolean(),
    }),
    warnings: z.array(OverviewWarning),
    today: z.strictObject({ created: Count, daily_quota: Count }),
    /** The last seven days in this environment. */
    outcomes: z.strictObject({
      days: z.literal(7),
      completed: Count,
      failed: Count,
      expired: Count,
      pending: Count,
      /** From creation to the wallet's response, for completed verifications. */
      median_seconds: z.number().min(0).optional(),
      top_failures: z.array(z.strictObject({ code: z.string(), count: Count })).max(5),
      /** True if there were too many sessions to count, and only the newest were counted. */
      sampled: z.boolean(),
    }),
    /** The last 24 hours in this environment. */
    webhooks: z.strictObject({
      attempts: Count,
      delivered: Count,
      waiting: Count,
      exhausted: Count,
      median_ms: z.number().min(0).optional(),
      last_delivered_at: Timestamp.optional(),
    }),
  })
  .meta({ id: 'Overview' })
