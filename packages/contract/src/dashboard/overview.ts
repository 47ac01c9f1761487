import { z } from 'zod'
import { Alert } from '../alerts.ts'
import { Count, Timestamp } from '../values.ts'
import { RegistrationFinding } from './registrations.ts'

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
  z.strictObject({ kind: z.literal('certificate_expires'), expires_at: Timestamp, expired: z.boolean() }),
  z.strictObject({
    kind: z.literal('registration_expires'),
    registration_id: z.string(),
    name: z.string(),
    expires_at: Timestamp,
    expired: z.boolean(),
  }),
  /** Its last check found that wallets will not accept it. */
  z.strictObject({
    kind: z.literal('registration_refused'),
    registration_id: z.string(),
    name: z.string(),
    finding: RegistrationFinding,
  }),
  z.strictObject({
    kind: z.literal('trust_list_expires'),
    url: z.string(),
    trusted_until: Timestamp.optional(),
    expired: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal('key_expires'),
    key_id: z.string(),
    name: z.string(),
    expires_at: Timestamp,
  }),
  z.strictObject({ kind: z.literal('alert'), alert: Alert }),
])

/** What a live verification needs. */
export type GoLive = z.infer<typeof GoLive>
const GoLive = z.strictObject({
  /** Wallets refuse a certificate that the service made itself, and one that has expired. */
  certificate: z.enum(['ok', 'self_made', 'expires_soon', 'expired']),
  certificate_expires_at: Timestamp,
  /** Whether requests carry a registration by default. Wallets in the EU reject or warn of requests without one. */
  registration: z.boolean(),
  /** The number of trusted issuers; without one, every response fails with `issuer_untrusted`. */
  trusted_issuers: Count,
  /** Whether a live key works now. */
  key: z.boolean(),
  /** Whether results reach a server: a live endpoint is enabled, or a live webhook was delivered. */
  webhook: z.boolean(),
  every_verification_fails: z.boolean(),
})

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
    /** Only in the live environment. */
    go_live: GoLive.optional(),
    warnings: z.array(OverviewWarning),
    today: z.strictObject({ created: Count, daily_quota: Count }),
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
