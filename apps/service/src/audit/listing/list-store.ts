import { type Db, walkDays } from '../../engine/db/index.ts'
import { type Sql, dayLiteral, sql } from '../../engine/db/sql.ts'
import type { EntryWithTextsRow } from '../chain/history-store.ts'

export type EntryFilter = {
  tenant_id: string
  /** Only entries with a lower number. */
  before: number
  action?: string | undefined
  actor?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** How many of the tenant's entries are not chained yet, among the newest of all tenants. */
export async function countPending(db: Db, tenant_id: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from (select tenant_id from audit_inbox order by id desc limit 5000) newest
    where tenant_id = ${tenant_id}`)
  return row?.count ?? 0
}

/** The days on which a tenant's chain has entries, or texts about the subject, newest first. */
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

/** The range of the next `limit` entries of a tenant's day: how many there are, and the lowest number. */
export async function readScanRange(
  db: Db,
  { tenant_id, day, before, limit }: { tenant_id: string; day: string; before: number; limit: number },
): Promise<{ entries: number; first: number | null }> {
  const [row] = await db.query<{ entries: number; first: number | null }>(sql`
    select count(*) as entries, min(seq) as first from (
      select seq from audit_entries
      where day = ${dayLiteral(day)} and tenant_id = ${tenant_id} and seq < ${before}
      order by seq desc limit ${limit}
    ) range`)
  return row ?? { entries: 0, first: null }
}

const columns = sql`
  entry.day, entry.tenant_id, entry.seq, entry.at, entry.action, entry.actor, entry.detail, entry.link, entry.actor_name,
  entry.purpose, entry.subject, texts.secret, texts.actor_name as actor_name_text, texts.purpose as purpose_text,
  texts.subject as subject_text`

/** The entries of a tenant's day from `first` to before `before` that match the filter, newest first. */
export async function readMatchingEntries(
  db: Db,
  { day, first, limit, ...filter }: EntryFilter & { day: string; first: number; limit: number },
): Promise<EntryWithTextsRow[]> {
  return db.query<EntryWithTextsRow>(sql`
    select ${columns}
    from audit_entries entry
    left join audit_texts texts
      on texts.day = ${dayLiteral(day)} and texts.tenant_id = entry.tenant_id and texts.seq = entry.seq
    where entry.day = ${dayLiteral(day)} and entry.seq >= ${first} and ${matchesFilter(filter)}
    order by entry.seq desc limit ${limit}`)
}

/** The entries about a subject that were chained on one day, newest first. */
export async function readEntriesAbout(
  db: Db,
  { day, subject, limit, ...filter }: EntryFilter & { day: string; subject: string; limit: number },
): Promise<EntryWithTextsRow[]> {
  return db.query<EntryWithTextsRow>(sql`
    select ${columns}
    from audit_texts texts
    -- Lateral: the planner has no statistics on subjects, would assume a common one and read the whole chain.
    cross join lateral (
      select * from audit_entries
      where day = ${dayLiteral(day)} and tenant_id = texts.tenant_id and seq = texts.seq
      limit 1
    ) entry
    where texts.day = ${dayLiteral(day)} and texts.tenant_id = ${filter.tenant_id} and texts.subject = ${subject}
      and ${matchesFilter(filter)}
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
