import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'
import type { VerificationOwner, VerificationTimes } from '../store.ts'

/** One request to create a verification: what the database decides on, and what it only stores. */
export type Creation = {
  tenant_id: string
  day: string
  ttl_seconds: number
  /** Of an idempotent request. */
  key_hash: Buffer | null
  body_hash: Buffer | null
  /** It will be refused unless it is a replay. */
  refused: boolean
  stored: StoredCreation
}

/** Columns of the verification by their names, with bytes as hexadecimal text, and the actor of its audit entry. */
type StoredCreation = Omit<VerificationOwner, 'tenant_id'> & {
  id: string
  certificate: string
  seed: string
  actor: string
  actor_name: string | null
  [column: string]: unknown
}

/** What was created first: the id of the verification, or the text of the 201 that the previous release stored. */
export type Replayable = { response: string } & VerificationTimes

export type CreationOutcome =
  | ({ outcome: 'created' } & VerificationTimes)
  | ({ outcome: 'replayed' } & Replayable)
  | { outcome: 'suspended' | 'not_approved'; response: string | null }
  | { outcome: 'over_quota'; retry_after: number }
  | { outcome: 'day_turned'; day: string }
  | { outcome: 'in_flight' | 'reused' | 'refused' | 'link_closed' }

/** Creates the verifications of many requests in one transaction. Returns the outcome of each, in the order of the requests. */
export async function createVerifications(
  db: Db,
  creations: readonly Creation[],
): Promise<CreationOutcome[]> {
  const tenants = [...new Set(creations.map(({ tenant_id }) => tenant_id))].toSorted()
  const places = new Map(tenants.map((tenant_id, index) => [tenant_id, index + 1]))
  const rows = await db.query<{ place: number } & CreationOutcome>(sql`
    select place, outcome, created_at, expires_at, response, day, retry_after
    from create_verifications(
      days => ${creations.map(({ day }) => day)}, ttl_seconds => ${creations.map(({ ttl_seconds }) => ttl_seconds)},
      tenant_ids => ${tenants}, tenant_places => ${creations.map(({ tenant_id }) => places.get(tenant_id))},
      key_hashes => ${creations.map(({ key_hash }) => key_hash)},
      key_locks => ${creations.map(({ key_hash }) => toKeyLock(key_hash))},
      body_hashes => ${creations.map(({ body_hash }) => body_hash)}, refused => ${creations.map(({ refused }) => refused)},
      stored => ${JSON.stringify(creations.map(({ stored }) => stored))}, responses => null)`)
  if (rows.length !== creations.length)
    throw new Error(`${creations.length} creations got ${rows.length} outcomes`)
  return rows.toSorted((a, b) => a.place - b.place)
}

/** The lock that a running request has on its idempotency key: the first 64 bits of the key's hash. */
function toKeyLock(keyHash: Buffer | null): bigint | null {
  return keyHash === null ? null : keyHash.readBigInt64BE()
}

/** The times of those verifications that exist, for when the connection was lost while they were being created. */
export async function findCreated(
  db: Db,
  creations: readonly Creation[],
): Promise<Map<string, VerificationTimes>> {
  const rows = await db.query<{ id: string } & VerificationTimes>(sql`
    select s.id, s.created_at, s.expires_at
    from unnest(
      ${creations.map(({ day }) => day)}::date[], ${creations.map(({ stored }) => stored.id)}::text[]
    ) as requested (day, id)
    join verification_sessions s on s.day = requested.day and s.id = requested.id`)
  return new Map(rows.map(({ id, created_at, expires_at }) => [id, { created_at, expires_at }]))
}

type IdempotencyKeyRow = VerificationTimes & { body_hash: Buffer; response: string | null }

/** The idempotency key of a day that has not begun by the database's clock. */
export async function findLaterKey(db: Db, keyHash: Buffer): Promise<IdempotencyKeyRow | undefined> {
  const [row] = await db.query<IdempotencyKeyRow>(sql`
    select body_hash, coalesce(response, verification_id) as response, created_at, expires_at from idempotency_keys
    where key_hash = ${keyHash} and day > service_day() limit 1`)
  return row
}
