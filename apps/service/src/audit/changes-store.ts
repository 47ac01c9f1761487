import type { Db } from '../platform/db/open.ts'
import { sql } from '../platform/db/sql.ts'

export type Place = { tenant_id: string; seq: number }

/** Where each tenant's chain ends now, and the newest number of the inbox. */
export async function readEnds(db: Db, tenants: string[]): Promise<{ chains: Place[]; inbox: number }> {
  const chains = await db.query<Place>(
    sql`select tenant_id, seq from audit_chains where tenant_id = any (${tenants}::uuid[])`,
  )
  const [row] = await db.query<{ id: number }>(sql`select coalesce(max(id), 0) as id from audit_inbox`)
  return { chains, inbox: row?.id ?? 0 }
}

export type Told = { tenant_id: string; action: string; seq: number }

/** What the chains gained since, a bounded number each. */
export async function readChained(db: Db, since: Place[], limit: number): Promise<Told[]> {
  return db.query<Told>(sql`
    select e.tenant_id, e.action, e.seq
    from unnest(${since.map(({ tenant_id }) => tenant_id)}::uuid[], ${since.map(({ seq }) => seq)}::bigint[])
      as since (tenant_id, seq)
    join lateral (
      select tenant_id, action, seq from audit_entries
      where audit_entries.tenant_id = since.tenant_id and audit_entries.seq > since.seq
        and audit_entries.day >= service_day() - 1
      order by seq desc
      limit ${limit}) e on true`)
}

export type Waiting = { tenant_id: string; action: string; id: number }

/** What waits in the inbox after a number. */
export async function readWaiting(
  db: Db,
  { tenants, after, limit }: { tenants: string[]; after: number; limit: number },
): Promise<Waiting[]> {
  return db.query<Waiting>(sql`
    select tenant_id, action, id from audit_inbox
    where id > ${after}::bigint and tenant_id = any (${tenants}::uuid[])
    order by id
    limit ${limit}`)
}
