import type { Db } from '../../engine/db/index.ts'
import { dayLiteral, sql } from '../../engine/db/sql.ts'
import type { EntryRow } from './store.ts'

/** Every statement of the transaction sees the same snapshot, and a slow reader does not time it out. */
export async function beginSnapshot(tx: Db): Promise<void> {
  await tx.execute(sql`set transaction isolation level repeatable read, read only`)
  await tx.execute(sql`set local idle_in_transaction_session_timeout = '10min'`)
}

const isOfTenant = (tenant_id: string | undefined) =>
  sql`(${tenant_id ?? null}::uuid is null or tenant_id = ${tenant_id ?? null})`

/** The highest id in the inbox, of one tenant or of all; 0 if it is empty. */
export async function readLastPendingId(db: Db, tenant_id?: string): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    sql`select coalesce(max(id), 0) as id from audit_inbox where ${isOfTenant(tenant_id)}`,
  )
  return row?.id ?? 0
}

export async function hasPending(db: Db, lastId: number, tenant_id?: string): Promise<boolean> {
  const rows = await db.query<{ id: number }>(
    sql`select id from audit_inbox where id <= ${lastId} and ${isOfTenant(tenant_id)} limit 1`,
  )
  return rows.length > 0
}

export type ChainEnd = { seq: number; link: Uint8Array; signed_seq: number }

export async function readChain(db: Db, tenant_id: string): Promise<ChainEnd | undefined> {
  const [row] = await db.query<ChainEnd>(
    sql`select seq, link, signed_seq from audit_chains where tenant_id = ${tenant_id}`,
  )
  return row
}

/** The chains with unsigned entries, of one tenant or of all, each with its last number. */
export async function readUnsignedChains(
  db: Db,
  tenant_id?: string,
): Promise<{ tenant_id: string; seq: number }[]> {
  return db.query<{ tenant_id: string; seq: number }>(
    sql`select tenant_id, seq from audit_chains where seq > signed_seq and ${isOfTenant(tenant_id)} limit 1000000`,
  )
}

export async function isSigned(
  db: Db,
  chains: readonly { tenant_id: string; seq: number }[],
): Promise<boolean> {
  const rows = await db.query<{ seq: number }>(sql`
    select chain.seq
    from unnest(${chains.map((chain) => chain.tenant_id)}::uuid[], ${chains.map((chain) => chain.seq)}::bigint[]) as expected (tenant, seq)
    join audit_chains chain on chain.tenant_id = expected.tenant
    where chain.signed_seq < expected.seq
    limit 1`)
  return rows.length === 0
}

/** Whether an erasure, of one tenant or of any, has deleted texts while its own entry is not signed yet. */
export async function hasUnsignedErasure(db: Db, tenant_id?: string): Promise<boolean> {
  const rows = await db.query<{ action: string }>(sql`
    select action from audit_inbox where ${isOfTenant(tenant_id)} and action = 'verification.erased'
    union all
    select entry.action
    from (select tenant_id, day, signed_seq from audit_chains where seq > signed_seq and ${isOfTenant(tenant_id)}) chain
    join audit_entries entry on entry.tenant_id = chain.tenant_id and entry.seq > chain.signed_seq
    where entry.action = 'verification.erased'
    limit 1`)
  return rows.length > 0
}

export type EntryWithTextsRow = EntryRow & {
  secret: Uint8Array | null
  actor_name_text: string | null
  purpose_text: string | null
  subject_text: string | null
}

const entryColumns = sql`day, tenant_id, seq, at, action, actor, detail, link, actor_name, purpose, subject`

/** The entries of a tenant's day after the given number, with their texts. */
export async function readDay(
  db: Db,
  { tenant_id, day, after, limit }: { tenant_id: string; day: string; after: number; limit: number },
): Promise<EntryWithTextsRow[]> {
  const entries = await db.query<EntryRow>(sql`
    select ${entryColumns} from audit_entries
    where day = ${dayLiteral(day)} and tenant_id = ${tenant_id} and seq > ${after}
    order by seq limit ${limit}`)
  return withTexts(entries, (from, to) =>
    db.query<EntryTextsRow>(sql`
      select ${textColumns} from audit_texts
      where day = ${dayLiteral(day)} and tenant_id = ${tenant_id} and seq >= ${from} and seq <= ${to}
      limit ${limit}`),
  )
}

/** A range of a tenant's chain, both ends included, over any number of days. */
export async function readRange(
  db: Db,
  { tenant_id, from, to, limit }: { tenant_id: string; from: number; to: number; limit: number },
): Promise<EntryWithTextsRow[]> {
  const entries = await db.query<EntryRow>(sql`
    select ${entryColumns} from audit_entries
    where tenant_id = ${tenant_id} and seq >= ${from} and seq <= ${to}
    order by seq limit ${limit}`)
  return withTexts(entries, (first, last) =>
    db.query<EntryTextsRow>(sql`
      select ${textColumns} from audit_texts
      where tenant_id = ${tenant_id} and seq >= ${first} and seq <= ${last}
      limit ${limit}`),
  )
}

type EntryTextsRow = { day: string; seq: number } & Omit<EntryWithTextsRow, keyof EntryRow>

const textColumns = sql`
  day, seq, secret, actor_name as actor_name_text, purpose as purpose_text, subject as subject_text`
const noTexts = { secret: null, actor_name_text: null, purpose_text: null, subject_text: null }

/**
 * Adds the texts to their entries. They are read by the range of the entries' numbers instead of joined: with outdated
 * statistics from nearly empty tables, as after a crash, the planner would compare every entry with every text.
 */
async function withTexts(
  entries: readonly EntryRow[],
  readTexts: (from: number, to: number) => Promise<EntryTextsRow[]>,
): Promise<EntryWithTextsRow[]> {
  const [first, last] = [entries[0], entries.at(-1)]
  if (first === undefined || last === undefined) return []
  const texts = new Map(
    (await readTexts(first.seq, last.seq)).map(({ day, seq, ...found }) => [`${day} ${seq}`, found]),
  )
  return entries.map((entry) => ({ ...entry, ...(texts.get(`${entry.day} ${entry.seq}`) ?? noTexts) }))
}

/** How many texts a tenant has for entries up to the given number. */
export async function countTexts(
  db: Db,
  { tenant_id, up_to }: { tenant_id: string; up_to: number },
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*) as count from audit_texts where tenant_id = ${tenant_id} and seq <= ${up_to}`,
  )
  return row?.count ?? 0
}

/** The oldest day whose texts are still kept. */
export async function readOldestTextsDay(db: Db, days: number): Promise<string> {
  const [row] = await db.query<{ day: string }>(sql`select service_day() - ${days}::integer as day`)
  return row?.day ?? ''
}

/** Deletes a deleted tenant's texts of a day, up to the entry of the deletion. */
export async function deleteTextsOfDeleted(
  tx: Db,
  { tenant_id, day }: { tenant_id: string; day: string },
): Promise<number> {
  return tx.execute(sql`
    delete from audit_texts
    where day = ${dayLiteral(day)} and tenant_id = ${tenant_id} and seq < (
      select max(seq) from audit_entries where tenant_id = ${tenant_id} and action = 'tenant.deleted')`)
}

/** Whether a tenant has texts, in its chain or still in the inbox. */
export async function hasTenantTexts(db: Db, tenant_id: string): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(sql`
    select exists (select from audit_inbox where tenant_id = ${tenant_id})
      or exists (select from audit_texts where tenant_id = ${tenant_id}) as found`)
  return row?.found === true
}
