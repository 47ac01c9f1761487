import type { Db } from '../engine/db/index.ts'
import { sql } from '../engine/db/sql.ts'

type ChainPosition = { tenant_id: string; seq: number }

/** The current end of each tenant's chain, and the highest id in the inbox. */
export async function readPositions(
  db: Db,
  tenants: string[],
): Promise<{ chains: ChainPosition[]; inbox: number }> {
  const chains = await db.query<ChainPosition>(
    sql`select tenant_id, seq from audit_chains where tenant_id = any (${tenants}::uuid[])`,
  )
  const [row] = await db.query<{ id: number }>(sql`select coalesce(max(id), 0) as id from audit_inbox`)
  return { chains, inbox: row?.id ?? 0 }
}

type ChainedAction = { tenant_id: string; action: string; seq: number }

/** The newest entries of each chain since its position, at most `limit` per chain. */
export async function readChainedSince(
  db: Db,
  since: ChainPosition[],
  limit: number,
): Promise<ChainedAction[]> {
  return db.query<ChainedAction>(sql`
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

type PendingAction = { tenant_id: string; action: string; id: number }

/** The entries in the inbox after the given id. */
export async function readPendingActions(
  db: Db,
  { tenants, after, limit }: { tenants: string[]; after: number; limit: number },
): Promise<PendingAction[]> {
  return db.query<PendingAction>(sql`
    select tenant_id, action, id from audit_inbox
    where id > ${after}::bigint and tenant_id = any (${tenants}::uuid[])
    order by id
    limit ${limit}`)
}
