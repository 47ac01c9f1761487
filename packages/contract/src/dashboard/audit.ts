import { z } from 'zod'
import { text } from '../text.ts'
import { TimestampInput, queryInteger, Timestamp } from '../values.ts'

/** An entry as a person reads it. The export holds the same as it is hashed. */
export type AuditEntry = z.infer<typeof AuditEntry>
export const AuditEntry = z
  .strictObject({
    seq: z.int().min(1),
    at: Timestamp,
    action: z.string(),
    actor: z.string(),
    actor_name: z.string().optional(),
    subject: z.string().optional(),
    purpose: z.string().optional(),
    detail: z.record(z.string(), z.unknown()).optional(),
    /** Its texts went with an erasure. */
    erased: z.boolean(),
  })
  .meta({ id: 'AuditEntry' })

export type FilterAudit = z.infer<typeof FilterAudit>
export const FilterAudit = z.strictObject({
  limit: queryInteger({ min: 1, max: 100, defaultValue: 50 }),
  before_seq: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .optional(),
  action: text({ max: 64 }).optional(),
  actor: text({ max: 128 }).optional(),
  subject: text({ max: 128 }).optional(),
  /** Not before, and before, by the time of the change. */
  from: TimestampInput.optional(),
  to: TimestampInput.optional(),
})

export type AuditList = z.infer<typeof AuditList>
export const AuditList = z
  .strictObject({
    data: z.array(AuditEntry),
    /** Absent: there is nothing older. */
    next_before_seq: z.int().optional(),
    /** Entries that are told already but not yet in their chain; the worker adds them within moments. */
    waiting: z.int().min(0),
  })
  .meta({ id: 'AuditList' })

export type AuditKey = z.infer<typeof AuditKey>
export const AuditKey = z
  .strictObject({
    public_key: z.string().meta({ description: 'PEM' }),
    /** The log that it signs, and the key as transparency tools take it. */
    origin: z.string(),
    verifier_key: z.string(),
  })
  .meta({ id: 'AuditKey' })
