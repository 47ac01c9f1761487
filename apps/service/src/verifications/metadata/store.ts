import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

/**
 * Tenants whose verifications are to be indexed, ordered by id: they have created `min_verifications` since the last time, or a first one on
 * another day.
 */
export async function readUnindexedTenants(
  db: Db,
  { after, limit, min_verifications }: { after: string; limit: number; min_verifications: number },
): Promise<string[]> {
  const rows = await db.query<{ tenant_id: string }>(sql`
    select u.tenant_id
    from tenant_usage u left join metadata_marks m on m.tenant_id = u.tenant_id
    where u.tenant_id > ${after} and u.last_created_at > coalesce(m.indexed_until, '-infinity')
      and (m.day is distinct from u.day or u.used - m.used >= ${min_verifications})
    order by u.tenant_id
    limit ${limit}`)
  return rows.map(({ tenant_id }) => tenant_id)
}

/** Indexes the metadata of a tenant's next verifications. Returns how many it has read. */
export async function indexMetadata(
  tx: Db,
  { tenant_id, limit }: { tenant_id: string; limit: number },
): Promise<number> {
  const [row] = await tx.query<{ read: number }>(sql`select index_metadata(${tenant_id}, ${limit}) as read`)
  return row?.read ?? 0
}
