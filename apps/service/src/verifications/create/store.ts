import {
  binaryArray,
  binaryIntegers,
  booleanElement,
  dateElement,
  jsonbElement,
  uuidElement,
  type Element,
  type ElementType,
} from '../../platform/db/binary-array.ts'
import type { Db } from '../../platform/db/open.ts'
import { sql } from '../../platform/db/sql.ts'
import type { SessionOwner } from '../store.ts'

/** One request to create a session. `answer` is the body of its 201 up to its times. */
export type Creation = SessionOwner & {
  day: string
  id: string
  /** Of an idempotent request. */
  key_hash: Buffer | null
  body_hash: Buffer | null
  template: string | null
  template_version: Buffer | null
  query: object | null
  metadata: Record<string, string> | null
  purpose: string | null
  webhook_url: string | null
  redirect_url: string | null
  ttl_seconds: number
  certificate: Buffer
  seed: Buffer
  actor: string
  actor_name: string | null
  answer: string
  /** It will be refused unless it is a replay. */
  refused: boolean
}

/** `answer` is the whole body of the 201 for a replay; for a creation, the end that belongs after the `answer` it was sent with. */
export type CreationOutcome =
  | { outcome: 'created'; answer: string }
  | { outcome: 'replayed'; answer: string }
  | { outcome: 'over_quota'; retry_after: number }
  | { outcome: 'day_turned'; day: string }
  | { outcome: 'in_flight' | 'reused' | 'refused' }

type OutcomesRow = {
  created: string | null
  others: ({ place: number } & Exclude<CreationOutcome, { outcome: 'created' }>)[]
}

/** Creates the sessions that may be created, in one transaction, and returns the outcome of each request, in order. */
export async function createSessions(
  db: Db,
  creations: readonly Creation[],
  plans: Record<string, number>,
): Promise<CreationOutcome[]> {
  const tenants = [...new Set(creations.map(({ tenant_id }) => tenant_id))].toSorted()
  const places = new Map(tenants.map((tenant_id, index) => [tenant_id, index + 1]))
  const tenantPlaces = creations.map(({ tenant_id }) => places.get(tenant_id) ?? 0)
  const ttls = creations.map(({ ttl_seconds }) => ttl_seconds)
  const array = (type: ElementType, elementOf: (creation: Creation) => Element) =>
    binaryArray(type, creations.map(elementOf))
  const [row] = await db.query<OutcomesRow>(sql`
    select created, others
    from create_verifications(
      ${binaryIntegers('date', toDateElements(creations))}, ${array('text', ({ id }) => id)},
      ${binaryArray('uuid', tenants.map(uuidElement))},
      ${binaryIntegers('integer', tenantPlaces)}, ${array('text', ({ environment }) => environment)},
      ${array('uuid', ({ device_id }) => uuidElement(device_id))},
      ${array('bytea', ({ key_hash }) => key_hash)}, ${array('bigint', ({ key_hash }) => toKeyLock(key_hash))},
      ${array('bytea', ({ body_hash }) => body_hash)}, ${array('boolean', ({ refused }) => booleanElement(refused))},
      ${array('text', ({ template }) => template)}, ${array('bytea', ({ template_version }) => template_version)},
      ${array('jsonb', ({ query }) => jsonbElement(query))}, ${array('jsonb', ({ metadata }) => jsonbElement(metadata))},
      ${array('text', ({ purpose }) => purpose)}, ${array('text', ({ webhook_url }) => webhook_url)},
      ${array('text', ({ redirect_url }) => redirect_url)}, ${binaryIntegers('integer', ttls)},
      ${array('bytea', ({ certificate }) => certificate)}, ${array('bytea', ({ seed }) => seed)},
      ${array('text', ({ actor }) => actor)}, ${array('text', ({ actor_name }) => actor_name)},
      ${array('text', ({ answer }) => answer)}, ${JSON.stringify(plans)})`)
  if (row === undefined) throw new Error('create_verifications returned no row')
  return toOutcomes(creations.length, row)
}

/** The lock that a running request has on its idempotency key: the first 64 bits of the key's hash. */
function toKeyLock(keyHash: Buffer | null): Buffer | null {
  return keyHash === null ? null : keyHash.subarray(0, 8)
}

/** Nearly always, all creations are of one day. */
function toDateElements(creations: readonly Creation[]): number[] {
  let last = { day: '', element: 0 }
  return creations.map(({ day }) => {
    if (day !== last.day) last = { day, element: dateElement(day) }
    return last.element
  })
}

function toOutcomes(count: number, { created, others }: OutcomesRow): CreationOutcome[] {
  const answerEnds = created === null ? [] : created.split('\n')
  if (answerEnds.length + others.length !== count) throw new Error(`${count} creations got other outcomes`)
  const byPlace = new Map(others.map((other) => [other.place, other]))
  const remaining = answerEnds.values()
  return Array.from(
    { length: count },
    (_, place) => byPlace.get(place) ?? { outcome: 'created', answer: remaining.next().value ?? '' },
  )
}

/** The ends of the 201s of those sessions that exist, for when the connection was lost while they were being created. */
export async function findCreated(db: Db, ids: { day: string; id: string }[]): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; answer: string }>(sql`
    select s.id, answer_times(s.created_at, s.expires_at) as answer
    from unnest(${ids.map(({ day }) => day)}::date[], ${ids.map(({ id }) => id)}::text[]) as requested (day, id)
    join verification_sessions s on s.day = requested.day and s.id = requested.id`)
  return new Map(rows.map(({ id, answer }) => [id, answer]))
}

/** The idempotency key of a day that has not begun by the database's clock. */
export async function findLaterKey(
  db: Db,
  keyHash: Buffer,
): Promise<{ body_hash: Buffer; answer: string | null } | undefined> {
  const [row] = await db.query<{ body_hash: Buffer; answer: string | null }>(sql`
    select body_hash, answer from idempotency_keys where key_hash = ${keyHash} and day > service_day() limit 1`)
  return row
}
