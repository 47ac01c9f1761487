import { toHex } from '../bytes.ts'
import { canonicalize } from '../canonicalize.ts'
import { linkHash } from '../hash.ts'
import { hash_bytes, sha256, type Hash } from '../sha256.ts'

/** Texts that may identify a person. The chain contains only commitments to them. */
export const textNames = ['actor_name', 'purpose', 'subject'] as const
export type TextName = (typeof textNames)[number]

type ByTextName<Value> = { [Name in TextName]?: Value | undefined }

/**
 * One entry of a tenant's chain, as it is hashed and exported. docs/reference/audit.md specifies it; `v` is the version of that format.
 * The members are in canonical order, which is the fastest to serialise.
 */
export type Entry = {
  action: string
  actor: string
  at: string
  /** At least one; absent if there is none. */
  commitments?: ByTextName<string> | undefined
  detail?: Record<string, unknown> | undefined
  seq: number
  tenant_id: string
  v: 1
}

/** The texts of one entry with the salts that open its commitments. */
export type Texts = ByTextName<{ salt: string; text: string }>

/** The link before the first entry. */
export const firstLink: Hash = new Uint8Array(hash_bytes)

export function entryHash(entry: Entry): Hash {
  return sha256(canonicalize(entry))
}

/** Commits to the entry and, through the previous link, to all earlier ones. */
export function computeLink(previous: Hash, entry: Entry): Hash {
  return linkHash(previous, entryHash(entry))
}

/** The newest entry of a tenant's chain. */
export type Head = { tenant_id: string; seq: number; link: Hash }

/** The content of a head's leaf. */
export function serializeHead({ tenant_id, seq, link }: Head): string {
  return canonicalize({ link: toHex(link), seq, tenant_id })
}
