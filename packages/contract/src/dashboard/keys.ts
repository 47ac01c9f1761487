import { z } from 'zod'
import { Scope, scopes } from '../scopes.ts'
import { text } from '../text.ts'
import { describe, Timestamp } from '../values.ts'
import { EnvironmentName, exampleMemberId } from './values.ts'

/** A key expires after one of these numbers of days, or never (DASH-1). */
export const keyLifetimes = [30, 90, 365] as const
/** For how long a rolled key keeps working beside its replacement: not at all, an hour, a day or a week. */
export const keyOverlaps_seconds = [0, 3600, 86_400, 604_800] as const

export const exampleKeyId = '0d4c2f1e-7a35-4b8e-9f60-2c1d3e4f5a6b'
const exampleName = 'Web shop'
const exampleScopes = ['verifications:create', 'verifications:read']

export type Key = z.infer<typeof Key>
export const Key = z
  .strictObject({
    id: describe(z.uuid(), 'The id of the key.', exampleKeyId),
    name: describe(z.string(), 'Its name, for people.', exampleName),
    environment: describe(EnvironmentName, 'The environment that it works in.', 'test'),
    prefix: describe(z.string(), 'How the key begins, to recognise it by.', 'vk_test_0p7Qm'),
    scopes: describe(z.array(Scope), 'What it may do.', exampleScopes),
    created_by: describe(
      z.uuid(),
      'The member who created it. Absent if an operator did, or if it was not recorded.',
      exampleMemberId,
    ).optional(),
    created_at: describe(Timestamp, 'When it was created.', '2026-11-15T09:00:00.123456Z'),
    expires_at: describe(
      Timestamp,
      'When it stops working. Absent if it never expires.',
      '2026-12-15T09:00:00.123456Z',
    ).optional(),
    expired: describe(z.boolean(), 'Whether it has expired.', false),
    revoked_at: describe(
      Timestamp,
      'When it was revoked. Absent if it was not.',
      '2026-11-20T17:00:00.123456Z',
    ).optional(),
    last_used_at: describe(
      Timestamp,
      'When it was last used. Absent if it never was.',
      '2026-11-15T12:00:00.123456Z',
    ).optional(),
    replaced_by: describe(
      z.uuid(),
      'The key that replaces it, if it was rolled.',
      '4e8a1b6d-93c7-4f25-a0d8-5b7c6e9f1a32',
    ).optional(),
  })
  .meta({ id: 'ApiKey' })

export type KeyList = z.infer<typeof KeyList>
export const KeyList = z
  .strictObject({ data: describe(z.array(Key).max(1000), 'Newest first.') })
  .meta({ id: 'ApiKeyList' })

export type CreateKey = z.infer<typeof CreateKey>
export const CreateKey = z
  .strictObject({
    name: describe(text({ min: 1, max: 64 }), 'A name for people.', exampleName),
    scopes: describe(
      z.array(Scope).min(1).max(scopes.length),
      'What the key may do. A key can give only scopes that it has itself, and none that manage.',
      exampleScopes,
    ),
    lifetime_days: describe(
      z.union(keyLifetimes.map((days) => z.literal(days))),
      'After how many days it expires. Absent: never. A key that manages has at most 90 days.',
      30,
    ).optional(),
  })
  .meta({ id: 'CreateApiKey' })

export type CreatedKey = z.infer<typeof CreatedKey>
export const CreatedKey = z
  .strictObject({
    key: Key,
    secret: describe(z.string(), 'The key itself. Shown only once.', 'vk_test_0p7Qm…'),
  })
  .meta({ id: 'CreatedApiKey' })

export type RollKey = z.infer<typeof RollKey>
export const RollKey = z
  .strictObject({ overlap_seconds: z.union(keyOverlaps_seconds.map((seconds) => z.literal(seconds))) })
  .meta({ id: 'RollKey' })
