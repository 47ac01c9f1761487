import { z } from 'zod'
import { toHex } from './bytes.ts'
import { canonicalize } from './canonicalize.ts'
import { hashBytes, linkHash, sha256, type Hash } from './hash.ts'

/** What may name a person. It is never in the chain itself, only a commitment to it is. */
export const textNames = ['actor_name', 'purpose', 'subject'] as const
export type TextName = (typeof textNames)[number]

export const hexHash = z.string().regex(/^[0-9a-f]{64}$/)
export const isoTime = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)

/** At least one of the texts; an entry without any has no such member. */
const texts = <Each extends z.ZodType>(each: Each) =>
  z
    .strictObject({ actor_name: each.optional(), purpose: each.optional(), subject: each.optional() })
    .refine((given) => Object.keys(given).length > 0)

/**
 * One entry of a tenant's chain, as it is hashed and exported. docs/audit.md specifies it; `v` is that document's version. The
 * members stand in their canonical order, in which they are written fastest.
 */
export const Entry = z.strictObject({
  action: z.string(),
  actor: z.string(),
  at: isoTime,
  commitments: texts(hexHash).optional(),
  detail: z.record(z.string(), z.unknown()).optional(),
  seq: z.int().min(1),
  tenant_id: z.uuid(),
  v: z.literal(1),
})
export type Entry = z.infer<typeof Entry>

/** The texts of one entry with the salts that open its commitments. */
export const Texts = texts(z.strictObject({ salt: hexHash, text: z.string() }))
export type Texts = z.infer<typeof Texts>

/** Where a chain begins. */
export const firstLink: Hash = new Uint8Array(hashBytes)

export function entryHash(entry: Entry): Hash {
  return sha256(canonicalize(entry))
}

/** The chain's link with this entry: it commits to the entry and, by the link before, to all that came earlier. */
export function linkOf(previous: Hash, entry: Entry): Hash {
  return linkHash(previous, entryHash(entry))
}

/** The newest entry of a tenant's chain. */
export type Head = { tenant_id: string; seq: number; link: Hash }

/** A head as a leaf of a tree. */
export function headContent({ tenant_id, seq, link }: Head): string {
  return canonicalize({ link: toHex(link), seq, tenant_id })
}
