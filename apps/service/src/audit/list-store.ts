import type { Db } from '../platform/db/open.ts'
import { dayLiteral, sql, type Sql } from '../platform/db/sql.ts'
import { walkDays } from '../platform/db/walk-days.ts'
import type { EntryWithTextsRow } from './chain/history-store.ts'

export type EntryFilter = {
  tenant_id: string
  /** Entries before this one. */
  before: number
  action?: string | undefined
  actor?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** Entries of the tenant that are told and not chained yet, among the newest of all. */
export async function countPending(db: Db, tenant_id: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from (select tenant_id from audit_inbox order by id desc limit 5000) newest
    where tenant_id = ${tenant_id}`)
  return row?.count ?? 0
}

/** The days on which a tenant's chain has entries, or texts about a subject, newest first. */
export function auditDays(
  db: Db,
  {
    tenant_id,
    subject,
    from,
  }: { tenant_id: string; subject?: string | undefined; from?: string | undefined },
): AsyncGenerator<string, void> {
  const first_day = from?.slice(0, 10) ?? null
  return walkDays(async ({ last_day, max_days }) => {
    const rows = await db.query<{ day: string }>(sql`
      select day from audit_days(
        ${tenant_id}, ${subject ?? null}, ${first_day}::date, ${last_day}::date, ${max_days}) as day`)
    return rows.map(({ day }) => day)
  }, null)
}

/** How far back some entries of a tenant's day reach. */
export async function readScanRange(
  db: Db,
  { tenant_id, day, before, limit }: { tenant_id: string; day: string; before: number; limit: number },
): Promise<{ entries: number; first: number | null }> {
  const [row] = await db.query<{ entries: number; first: number | null }>(sql`
    select count(*) as entries, min(seq) as first from (
      select seq from audit_entries
      where day = ${dayLiteral(day)} and tenant_id = ${tenant_id} and seq < ${before}
      order by seq desc limit ${limit}
    ) reach`)
  return row ?? { entries: 0, first: null }
}

const columns = sql`
  entry.day, entry.tenant_id, entry.seq, entry.at, entry.action, entry.actor, entry.detail, entry.link, entry.actor_name,
  entry.purpose, entry.subject, said.secret, said.actor_name as actor_name_text, said.purpose as purpose_text,
  said.subject as subject_text`

/** The entries of a tenant's day from the first to before another that are as wanted, newest first. */
export async function readMatchingEntries(
  db: Db,
  { day, first, limit, ...wanted }: EntryFilter & { day: string; first: number; limit: number },
): Promise<EntryWithTextsRow[]> {
  return db.query<EntryWithTextsRow>(sql`
    select ${columns}
    from audit_entries entry
    left join audit_texts said
      on said.day = ${dayLiteral(day)} and said.tenant_id = entry.tenant_id and said.seq = entry.seq
    where entry.day = ${dayLiteral(day)} and entry.seq >= ${first} and ${matchesFilter(wanted)}
    order by entry.seq desc limit ${limit}`)
}

/** What was done to a subject and chained on one day, newest first. */
export async function readEntriesAbout(
  db: Db,
  { day, subject, limit, ...wanted }: EntryFilter & { day: string; subject: string; limit: number },
): Promise<EntryWithTextsRow[]> {
  return db.query<EntryWithTextsRow>(sql`
    select ${columns}
    from audit_texts said
    -- One by one: subjects are never sampled, so the planner would take this one for common and walk the whole chain.
    cross join lateral (
      select * from audit_entries
      where day = ${dayLiteral(day)} and tenant_id = said.tenant_id and seq = said.seq
      limit 1
    ) entry
    where said.day = ${dayLiteral(day)} and said.tenant_id = ${wanted.tenant_id} and said.subject = ${subject}
      and ${matchesFilter(wanted)}
    order by entry.seq desc limit ${limit}`)
}

function matchesFilter({ tenant_id, before, action, actor, from, to }: EntryFilter): Sql {
  return sql`
    entry.tenant_id = ${tenant_id} and entry.seq < ${before}
    and (${action ?? null}::text is null or entry.action = ${action ?? null})
    and (${actor ?? null}::text is null or entry.actor = ${actor ?? null}
      or split_part(entry.actor, ':', 1) = ${actor ?? null})
    and (${from ?? null}::timestamptz is null or entry.at >= ${from ?? null})
    and (${to ?? null}::timestamptz is null or entry.at < ${to ?? null})`
}
