import { z } from 'zod'
import { text } from '../text.ts'
import { TimestampInput, queryInteger, Timestamp } from '../values.ts'
import { EnvironmentName } from './values.ts'

/** An audit entry for display. The export contains the form that is hashed. */
export type AuditEntry = z.infer<typeof AuditEntry>
export const AuditEntry = z
  .strictObject({
    seq: z.int().min(1),
    at: Timestamp,
    action: z.string(),
    actor: z.string(),
    /** As recorded, or the present name of a key. Absent if it was erased or the actor has none. */
    actor_name: z.string().optional(),
    subject: z.string().optional(),
    /** The present name of the key, device, member or OpenID client that `subject` identifies. Absent if it was removed. */
    subject_name: z.string().optional(),
    /** The OpenID client that is the actor or the subject. Absent if it was deleted. */
    client: z.strictObject({ id: z.string(), environment: EnvironmentName }).optional(),
    purpose: z.string().optional(),
    detail: z.record(z.string(), z.unknown()).optional(),
    /** Its texts were erased. */
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
  /** The time of the change: `from` is inclusive, `to` is exclusive. */
  from: TimestampInput.optional(),
  to: TimestampInput.optional(),
})

export type AuditList = z.infer<typeof AuditList>
export const AuditList = z
  .strictObject({
    data: z.array(AuditEntry),
    /** Absent if there are no older entries. */
    next_before_seq: z.int().optional(),
    /** Entries that are recorded but not yet in their chain. The worker appends them within a second or so. */
    waiting: z.int().min(0),
  })
  .meta({ id: 'AuditList' })

export type AuditKey = z.infer<typeof AuditKey>
export const AuditKey = z
  .strictObject({
    public_key: z.string().meta({ description: 'PEM' }),
    /** The log that the key signs, and the key in the format of transparency log tools. */
    origin: z.string(),
    verifier_key: z.string(),
    /** The log's first key as PEM, and the notes with which it and its successors were replaced. They lead to `public_key`. */
    first_public_key: z.string(),
    handovers: z.array(z.string()),
  })
  .meta({ id: 'AuditKey' })
