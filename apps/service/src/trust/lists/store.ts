import type { Environment } from '@vidimus/contract'
import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

export type ListName = { environment: Environment; url: string }

/** A list that is due for a refresh, with its last good copy if there is one. Times are in seconds since 1970. */
export type ClaimedList = ListName & {
  id: number
  now: number
  /** SHA-256 of the last good copy. */
  copy_hash: Buffer | null
  settings_hash: Buffer | null
  sequence_number: number | null
  issued_at: number | null
  next_update: number | null
}

/** How often a list is fetched, and how soon again after a failure. */
const refreshInterval = { refreshed: sql`interval '1 hour'`, failed: sql`interval '5 minutes'` }

/** A row that an earlier release wrote has its copy in `token`. */
const storedCopy = sql`coalesce(convert_to(token, 'UTF8'), signed_copy)`

/** Inserts the configured lists and deletes all others with their anchors. Returns the deleted ones. */
export async function syncLists(tx: Db, lists: readonly ListName[]): Promise<ListName[]> {
  const wanted = JSON.stringify(lists.map(({ environment, url }) => ({ environment, url })))
  await tx.execute(sql`
    insert into trust_lists (environment, url)
    select environment, url from jsonb_to_recordset(${wanted}::jsonb) as w (environment text, url text)
    on conflict do nothing`)
  return tx.query<ListName>(sql`
    delete from trust_lists
    where (environment, url) not in (
      select environment, url from jsonb_to_recordset(${wanted}::jsonb) as w (environment text, url text))
    returning environment, url`)
}

/** Claims the lists that are due, or all of them, so that no other worker fetches them in the next minutes. */
export async function claimLists(db: Db, { all }: { all: boolean }): Promise<ClaimedList[]> {
  return db.query<ClaimedList>(sql`
    update trust_lists l
    set due_at = service_now() + ${refreshInterval.failed}
    from (
      select id from trust_lists where ${all} or due_at <= service_now()
      order by id
      limit 1000
      for update skip locked
    ) due
    where l.id = due.id
    returning l.id, l.environment, l.url, extract(epoch from service_now())::float8 as now, sha256(${storedCopy}) as copy_hash, l.settings_hash,
      l.sequence_number, extract(epoch from l.issued_at)::float8 as issued_at, extract(epoch from l.next_update)::float8 as next_update`)
}

/** The last good copy as it was received. */
export async function readStoredCopy(db: Db, id: number): Promise<Buffer | undefined> {
  const [row] = await db.query<{ copy: Buffer | null }>(sql`
    select ${storedCopy} as copy from trust_lists where id = ${id}`)
  return row?.copy ?? undefined
}

export type NewListCopy = {
  id: number
  bytes: Buffer
  settings_hash: Buffer
  sequence_number: number
  /** Seconds since 1970. */
  issued_at: number
  next_update: number
  grace_hours: number
}

/**
 * Stores a copy. Undefined if one with a higher sequence number or a later time of issue is stored already; otherwise whether its
 * `trusted_until` changed.
 */
export async function storeListCopy(tx: Db, copy: NewListCopy): Promise<{ moved: boolean } | undefined> {
  const [row] = await tx.query<{ moved: boolean }>(sql`
    update trust_lists l
    set token = null, signed_copy = ${copy.bytes}, settings_hash = ${copy.settings_hash}, sequence_number = ${copy.sequence_number},
      issued_at = to_timestamp(${copy.issued_at}::float8), next_update = to_timestamp(${copy.next_update}::float8),
      trusted_until = to_timestamp(${copy.next_update}::float8) + make_interval(hours => ${copy.grace_hours}::integer),
      refreshed_at = service_now(), due_at = service_now() + ${refreshInterval.refreshed}, fault = null
    from (select id, trusted_until from trust_lists where id = ${copy.id} for update) before
    where l.id = before.id and (
      l.sequence_number is null
      or (l.sequence_number <= ${copy.sequence_number}::bigint and l.issued_at <= to_timestamp(${copy.issued_at}::float8)))
    returning before.trusted_until is distinct from l.trusted_until as moved`)
  return row
}

/**
 * Records that a list was fetched and is the stored copy. Undefined if the copy has expired or was read with other settings;
 * otherwise whether its `trusted_until` changed.
 */
export async function extendCopy(
  tx: Db,
  { id, settings_hash, grace_hours }: Pick<NewListCopy, 'id' | 'settings_hash' | 'grace_hours'>,
): Promise<{ moved: boolean } | undefined> {
  const [row] = await tx.query<{ moved: boolean }>(sql`
    update trust_lists l
    set trusted_until = l.next_update + make_interval(hours => ${grace_hours}::integer),
      refreshed_at = service_now(), due_at = service_now() + ${refreshInterval.refreshed}, fault = null
    from (select id, trusted_until from trust_lists where id = ${id} for update) before
    where l.id = before.id and l.settings_hash = ${settings_hash} and l.next_update > service_now()
    returning before.trusted_until is distinct from l.trusted_until as moved`)
  return row
}

/** Records why a list could not be refreshed. Its last good copy stays. */
export async function recordFault(db: Db, { id, fault }: { id: number; fault: string }): Promise<void> {
  await db.execute(sql`update trust_lists set fault = ${fault} where id = ${id}`)
}

/** Records that the anchors of the stored copy now follow other settings. */
export async function recordSettings(
  tx: Db,
  { id, settings_hash }: { id: number; settings_hash: Buffer },
): Promise<void> {
  await tx.execute(sql`update trust_lists set settings_hash = ${settings_hash} where id = ${id}`)
}

export async function countAnchors(db: Db, list_id: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) from trust_anchors where list_id = ${list_id}`)
  return row?.count ?? 0
}

export type ListState = ListName & {
  fault: string | null
  sequence_number: number | null
  next_update: string | null
  trusted_until: string | null
  refreshed_at: string | null
  /** Not refreshed for three times the refresh interval. */
  stale: boolean
  expired: boolean
  anchors: number
}

export async function readLists(db: Db): Promise<ListState[]> {
  return db.query<ListState>(sql`
    select l.environment, l.url, l.fault, l.sequence_number, l.next_update, l.trusted_until, l.refreshed_at,
      coalesce(l.refreshed_at < service_now() - 3 * ${refreshInterval.refreshed}, true) as stale,
      coalesce(l.trusted_until <= service_now(), true) as expired,
      (select count(*) from trust_anchors a where a.list_id = l.id) as anchors
    from trust_lists l
    order by l.environment, l.url
    limit 1000`)
}
