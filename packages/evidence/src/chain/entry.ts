import { toHex } from '../bytes.ts'
import { canonicalize } from '../canonicalize.ts'
import { linkHash } from '../hash.ts'
import { hash_bytes, sha256, type Hash } from '../sha256.ts'

/** What may name a person. It is never in the chain itself, only a commitment to it is. */
export const textNames = ['actor_name', 'purpose', 'subject'] as const
export type TextName = (typeof textNames)[number]

type ByTextName<Value> = { [Name in TextName]?: Value | undefined }

/**
 * One entry of a tenant's chain, as it is hashed and exported. docs/reference/audit.md specifies it; `v` is that document's version. The
 * members stand in their canonical order, in which they are written fastest.
 */
export type Entry = {
  action: string
  actor: string
  at: string
  /** At least one; an entry without any has no such member. */
  commitments?: ByTextName<string> | undefined
  detail?: Record<string, unknown> | undefined
  seq: number
  tenant_id: string
  v: 1
}

/** The texts of one entry with the salts that open its commitments. */
export type Texts = ByTextName<{ salt: string; text: string }>

/** Where a chain begins. */
export const firstLink: Hash = new Uint8Array(hash_bytes)

export function entryHash(entry: Entry): Hash {
  return sha256(canonicalize(entry))
}

/** The chain's link with this entry: it commits to the entry and, by the link before, to all that came earlier. */
export function computeLink(previous: Hash, entry: Entry): Hash {
  return linkHash(previous, entryHash(entry))
}

/** The newest entry of a tenant's chain. */
export type Head = { tenant_id: string; seq: number; link: Hash }

/** A head as a leaf of a tree. */
export function serializeHead({ tenant_id, seq, link }: Head): string {
  return canonicalize({ link: toHex(link), seq, tenant_id })
}
