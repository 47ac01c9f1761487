import { z } from 'zod'
import { Scope, scopes } from '../scopes.ts'
import { text } from '../text.ts'
import { Timestamp } from '../values.ts'
import { EnvironmentName } from './values.ts'

/** Defaults of the form (DASH-1): every scope except this one is ticked, and a key expires after one of these numbers of days, or never. */
export const scopeUntickedByDefault = 'verifications:delete'
export const keyLifetimes = [30, 90, 365] as const
/** For how long a rolled key keeps working beside its replacement: not at all, an hour, a day or a week. */
export const keyOverlaps_seconds = [0, 3600, 86_400, 604_800] as const

export type Key = z.infer<typeof Key>
export const Key = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    environment: EnvironmentName,
    prefix: z.string(),
    scopes: z.array(Scope),
    /** The member who created it. Absent if an operator did, or if it was not recorded. */
    created_by: z.uuid().optional(),
    created_at: Timestamp,
    expires_at: Timestamp.optional(),
    expired: z.boolean(),
    revoked_at: Timestamp.optional(),
    last_used_at: Timestamp.optional(),
    /** The key that replaces it, if it was rolled. */
    replaced_by: z.uuid().optional(),
  })
  .meta({ id: 'Key' })

export type KeyList = z.infer<typeof KeyList>
export const KeyList = z.strictObject({ data: z.array(Key).max(1000) }).meta({ id: 'KeyList' })

export type CreateKey = z.infer<typeof CreateKey>
export const CreateKey = z
  .strictObject({
    name: text({ min: 1, max: 64 }),
    scopes: z.array(Scope).min(1).max(scopes.length),
    lifetime_days: z.union(keyLifetimes.map((days) => z.literal(days))).optional(),
  })
  .meta({ id: 'CreateKey' })

export type CreatedKey = z.infer<typeof CreatedKey>
export const CreatedKey = z
  .strictObject({ key: Key, secret: z.string().meta({ description: 'The key itself. Shown only once.' }) })
  .meta({ id: 'CreatedKey' })

export type RollKey = z.infer<typeof RollKey>
export const RollKey = z
  .strictObject({ overlap_seconds: z.union(keyOverlaps_seconds.map((seconds) => z.literal(seconds))) })
  .meta({ id: 'RollKey' })
