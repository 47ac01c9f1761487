import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

export type InboxEntry = {
  tenant_id: string
  action: string
  actor: string
  actor_name: string | null
  subject: string | null
  purpose: string | null
  detail: Record<string, unknown> | null
}
export type InboxRow = InboxEntry & { id: number; at: string }

export async function insertInboxEntry(tx: Db, entry: InboxEntry): Promise<void> {
  await tx.execute(sql`
    insert into audit_inbox (tenant_id, action, actor, actor_name, subject, purpose, detail)
    values (${entry.tenant_id}, ${entry.action}, ${entry.actor}, ${entry.actor_name}, ${entry.subject},
      ${entry.purpose}, ${entry.detail})`)
}

/** The class of the audit's advisory locks. The second key is the shard; the leaf has one past the last shard. */
const lockClass = 7_240_115
const shardOf = sql`get_byte(uuid_send(tenant_id), 0) & 15`
const shards = 16

/** How long the oldest entry has waited, in seconds. */
export async function readLag(db: Db): Promise<number> {
  const [row] = await db.query<{ lag: number }>(
    sql`select extract(epoch from service_now() - at)::float8 as lag from audit_inbox order by id limit 1`,
  )
  return row?.lag ?? 0
}

/** The most that is counted of what waits. */
const maxCounted = 100_000

/** How many entries wait for their chain. */
export async function countWaiting(db: Db): Promise<number> {
  const [row] = await db.query<{ waiting: number }>(
    sql`select count(*) as waiting from (select from audit_inbox limit ${maxCounted}) as waiting`,
  )
  return row?.waiting ?? 0
}

/** `lag_seconds` is null if no entry waits in the inbox; `checkpoint` if none was ever signed. */
export type AuditState = { lag_seconds: number | null; is_unsigned: boolean; checkpoint: string | null }

/** Whether entries wait for their chain or chains for their signature, and the newest checkpoint. */
export async function readAuditState(db: Db): Promise<AuditState> {
  const [row] = await db.query<AuditState>(sql`
    select
      (select extract(epoch from service_now() - at)::float8 from audit_inbox order by id limit 1) as lag_seconds,
      exists (select from audit_chains where seq > signed_seq) as is_unsigned,
      (select checkpoint from audit_log) as checkpoint`)
  if (row === undefined) throw new Error('the state of the audit log was not returned')
  return row
}

/** The shards with pending entries and their counts, judged by the oldest 5,000. */
export async function readPendingShards(db: Db): Promise<{ shard: number; entries: number }[]> {
  return db.query<{ shard: number; entries: number }>(sql`
    select shard, count(*) as entries
    from (select ${shardOf} as shard from audit_inbox order by id limit 5000) waiting
    group by shard order by shard limit ${shards}`)
}

/**
 * Locks those of the shards that are free until the transaction ends, and returns the current day. The commit need not wait
 * for the disk: a crash only puts the entries back into the inbox, and a signed leaf, which does wait, flushes earlier commits.
 */
export async function lockShards(tx: Db, shardIds: number[]): Promise<{ locked: number[]; today: string }> {
  await tx.execute(sql`set local synchronous_commit = off`)
  const rows = await tx.query<{ shard: number; today: string; locked: boolean }>(sql`
    select shard, service_day() as today, pg_try_advisory_xact_lock(${lockClass}, shard) as locked
    from unnest(${shardIds}::integer[]) shard`)
  const locked = rows.filter((row) => row.locked).map(({ shard }) => shard)
  return { locked, today: rows[0]?.today ?? '' }
}

/** One leaf at a time across all nodes. False if another node holds the lock. */
export async function lockLog(tx: Db): Promise<boolean> {
  const [row] = await tx.query<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(${lockClass}, ${shards}) as locked`,
  )
  return row?.locked === true
}

/** Removes the oldest entries of the shards from the inbox. Entries locked by an erasure are left for the next time. */
export async function takeFromInbox(tx: Db, locked: number[], limit: number): Promise<InboxRow[]> {
  const rows = await tx.query<InboxRow>(sql`
    delete from audit_inbox
    where id = any (array(
      select id from audit_inbox where ${shardOf} = any (${locked}::integer[])
      order by id limit ${limit} for update skip locked))
    returning id, tenant_id, at, action, actor, actor_name, subject, purpose, detail`)
  return rows.toSorted((a, b) => a.id - b.id)
}

export type ChainRow = { tenant_id: string; day: string; seq: number; link: Uint8Array }

export async function lockChains(tx: Db, tenants: string[]): Promise<ChainRow[]> {
  return tx.query<ChainRow>(sql`
    select tenant_id, day, seq, link from audit_chains
    where tenant_id = any (${tenants}::uuid[])
    order by tenant_id for update`)
}

export async function upsertChains(tx: Db, rows: readonly ChainRow[]): Promise<void> {
  await tx.execute(sql`
    insert into audit_chains (tenant_id, day, seq, link)
    select * from unnest(
      ${rows.map((row) => row.tenant_id)}::uuid[], ${rows.map((row) => row.day)}::date[],
      ${rows.map((row) => row.seq)}::bigint[], ${rows.map((row) => row.link)}::bytea[])
    on conflict (tenant_id) do update set day = excluded.day, seq = excluded.seq, link = excluded.link`)
}

export type EntryRow = {
  day: string
  tenant_id: string
  seq: number
  at: string
  action: string
  actor: string
  detail: string | null
  link: Uint8Array
  actor_name: Uint8Array | null
  purpose: Uint8Array | null
  subject: Uint8Array | null
}

export async function insertEntries(tx: Db, rows: readonly EntryRow[]): Promise<void> {
  await tx.execute(sql`
    insert into audit_entries (day, tenant_id, seq, at, action, actor, detail, link, actor_name, purpose, subject)
    select * from unnest(
      ${rows.map((row) => row.day)}::date[], ${rows.map((row) => row.tenant_id)}::uuid[],
      ${rows.map((row) => row.seq)}::bigint[], ${rows.map((row) => row.at)}::timestamptz[],
      ${rows.map((row) => row.action)}::text[], ${rows.map((row) => row.actor)}::text[],
      ${rows.map((row) => row.detail)}::text[], ${rows.map((row) => row.link)}::bytea[],
      ${rows.map((row) => row.actor_name)}::bytea[], ${rows.map((row) => row.purpose)}::bytea[],
      ${rows.map((row) => row.subject)}::bytea[])`)
}

export type TextsRow = {
  day: string
  tenant_id: string
  seq: number
  secret: Uint8Array
  actor_name: string | null
  purpose: string | null
  subject: string | null
}

export async function insertTexts(tx: Db, rows: readonly TextsRow[]): Promise<void> {
  await tx.execute(sql`
    insert into audit_texts (day, tenant_id, seq, secret, actor_name, purpose, subject)
    select * from unnest(
      ${rows.map((row) => row.day)}::date[], ${rows.map((row) => row.tenant_id)}::uuid[],
      ${rows.map((row) => row.seq)}::bigint[], ${rows.map((row) => row.secret)}::bytea[],
      ${rows.map((row) => row.actor_name)}::text[], ${rows.map((row) => row.purpose)}::text[],
      ${rows.map((row) => row.subject)}::text[])`)
}
