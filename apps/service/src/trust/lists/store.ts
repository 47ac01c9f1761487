import type { Environment } from '@vidimus/contract'
import type { ListPointer } from '@vidimus/protocol'
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

/** A list as the settings have it: the URL of the list that points to it, and the hash of what is taken from it. */
export type WantedList = ListName & { source?: string; hash: Buffer }

/**
 * Inserts the lists and deletes all others with their anchors. Returns the deleted ones, and whether anything was inserted, linked to another
 * list or deleted. A list whose pointer has changed is due at once: perhaps the signer of its last good copy is no longer named.
 */
export async function syncLists(
  tx: Db,
  lists: readonly WantedList[],
): Promise<{ removed: ListName[]; changed: boolean }> {
  const wanted = JSON.stringify(
    lists.map(({ environment, url, source, hash }) => ({
      environment,
      url,
      source,
      hash: hash.toString('hex'),
    })),
  )
  const linked = await tx.execute(sql`
    insert into trust_lists as l (environment, url, source_id)
    select w.environment, w.url, above.id
    from jsonb_to_recordset(${wanted}::jsonb) as w (environment text, url text, source text)
    left join trust_lists above on above.environment = w.environment and above.url = w.source
    on conflict (environment, url) do update set source_id = excluded.source_id
    where l.source_id is distinct from excluded.source_id`)
  await tx.execute(sql`
    update trust_lists l
    set due_at = service_now()
    from jsonb_to_recordset(${wanted}::jsonb) as w (environment text, url text, hash text)
    where l.environment = w.environment and l.url = w.url and l.source_id is not null and l.due_at > service_now()
      and l.settings_hash <> decode(w.hash, 'hex')`)
  const removed = await tx.query<ListName>(sql`
    delete from trust_lists
    where (environment, url) not in (
      select environment, url from jsonb_to_recordset(${wanted}::jsonb) as w (environment text, url text))
    returning environment, url`)
  return { removed, changed: linked + removed.length > 0 }
}

export type StoredPointers = ListName & { pointers: ListPointer[] }

/** The pointers of all last good copies, which nobody else reads like this or changes before the end of the transaction. */
export async function lockPointers(tx: Db): Promise<StoredPointers[]> {
  type StoredPointer = { url: string; territory: string; signers: string[] }
  const rows = await tx.query<ListName & { pointers: StoredPointer[] }>(sql`
    select environment, url, pointers from trust_lists where pointers is not null order by id limit 1000 for update`)
  return rows.map(({ pointers, ...list }) => ({
    ...list,
    pointers: pointers.map(({ signers, ...pointer }) => ({
      ...pointer,
      signers: signers.map((certificate) => Buffer.from(certificate, 'base64')),
    })),
  }))
}

function toStoredPointers(pointers: readonly ListPointer[] | undefined): string | null {
  if (pointers === undefined) return null
  return JSON.stringify(
    pointers.map(({ signers, ...pointer }) => ({
      ...pointer,
      signers: signers.map((certificate) => Buffer.from(certificate).toString('base64')),
    })),
  )
}

/** Claims those of the lists that are due, or all of them, so that no other worker fetches them in the next minutes. */
export async function claimLists(
  db: Db,
  { lists, all }: { lists: readonly ListName[]; all: boolean },
): Promise<ClaimedList[]> {
  const names = JSON.stringify(lists.map(({ environment, url }) => ({ environment, url })))
  return db.query<ClaimedList>(sql`
    update trust_lists l
    set due_at = service_now() + ${refreshInterval.failed}
    from (
      select id from trust_lists
      where (${all} or due_at <= service_now()) and (environment, url) in (
        select environment, url from jsonb_to_recordset(${names}::jsonb) as n (environment text, url text))
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
  /** Absent if it is not a list of lists. */
  pointers: readonly ListPointer[] | undefined
}

/**
 * Stores a copy. Undefined if one with a higher sequence number or a later time of issue is stored already; otherwise whether its
 * `trusted_until` changed.
 */
export async function storeListCopy(tx: Db, copy: NewListCopy): Promise<{ moved: boolean } | undefined> {
  const [row] = await tx.query<{ moved: boolean }>(sql`
    update trust_lists l
    set token = null, signed_copy = ${copy.bytes}, pointers = ${toStoredPointers(copy.pointers)}::jsonb, settings_hash = ${copy.settings_hash}, sequence_number = ${copy.sequence_number},
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

/** Records that the anchors and pointers of the stored copy now follow other settings. */
export async function recordSettings(
  tx: Db,
  { id, settings_hash, pointers }: Pick<NewListCopy, 'id' | 'settings_hash' | 'pointers'>,
): Promise<void> {
  await tx.execute(sql`
    update trust_lists set settings_hash = ${settings_hash}, pointers = ${toStoredPointers(pointers)}::jsonb where id = ${id}`)
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
    select l.environment, l.url, l.fault, l.sequence_number, l.next_update, t.trusted_until, l.refreshed_at,
      coalesce(l.refreshed_at < service_now() - 3 * ${refreshInterval.refreshed}, true) as stale,
      coalesce(t.trusted_until <= service_now(), true) as expired,
      (select count(*) from trust_anchors a where a.list_id = l.id) as anchors
    from trust_lists l
    join linked_trust_lists t on t.id = l.id
    order by l.environment, l.url
    limit 1000`)
}
