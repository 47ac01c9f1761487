import { type Db, nilUuid } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

export type SupportAccessRow = {
  tenant_id: string
  given_by: 'tenant' | 'operator'
  name: string
  reason: string | null
  since: string
  until: string
}

const columns = sql`tenant_id, given_by, name, reason, since, until`

export async function findSupportAccess(db: Db, tenant_id: string): Promise<SupportAccessRow | undefined> {
  const [row] = await db.query<SupportAccessRow>(sql`
    select ${columns} from support_access where tenant_id = ${tenant_id} and until > service_now()`)
  return row
}

type NewSupportAccess = Pick<SupportAccessRow, 'tenant_id' | 'given_by' | 'name' | 'reason'> & {
  lifetime_hours: number
}

/** Replaces what was given before. False if the tenant does not exist. */
export async function putSupportAccess(tx: Db, access: NewSupportAccess): Promise<boolean> {
  const put = await tx.execute(sql`
    insert into support_access (tenant_id, given_by, name, reason, since, until)
    select t.id, ${access.given_by}, ${access.name}, ${access.reason}, at, at + make_interval(hours => ${access.lifetime_hours}::integer)
    from tenants t cross join service_now() as at
    where t.id = ${access.tenant_id}
    on conflict (tenant_id) do update
    set given_by = excluded.given_by, name = excluded.name, reason = excluded.reason, since = excluded.since, until = excluded.until`)
  return put === 1
}

/** The access that ended; undefined if there was none. */
export async function deleteSupportAccess(tx: Db, tenant_id: string): Promise<SupportAccessRow | undefined> {
  const [row] = await tx.query<SupportAccessRow>(sql`
    delete from support_access where tenant_id = ${tenant_id} and until > service_now() returning ${columns}`)
  return row
}

export async function deleteExpiredSupportAccess(db: Db, limit: number): Promise<number> {
  return db.execute(sql`
    delete from support_access where tenant_id in (
      select tenant_id from support_access where until <= service_now() limit ${limit})`)
}

export async function readSupportAccessPage(
  db: Db,
  { after, limit }: { after: SupportAccessRow | undefined; limit: number },
): Promise<SupportAccessRow[]> {
  return db.query<SupportAccessRow>(sql`
    select ${columns} from support_access
    where tenant_id > ${after?.tenant_id ?? nilUuid}::uuid
    order by tenant_id
    limit ${limit}`)
}
