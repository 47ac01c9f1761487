import type { Brand } from '@vidimus/contract'
import { type Db, type AsOf, oneOf, queryWithAsOf } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

export type TenantRow = {
  id: string
  name: string
  plan: string
  daily_quota: number | null
  created_at: string
}

const columns = sql`id, name, plan, daily_quota, created_at`

export async function insertTenant(
  tx: Db,
  { name, plan, daily_quota }: Pick<TenantRow, 'name' | 'plan' | 'daily_quota'>,
): Promise<TenantRow> {
  const [row] = await tx.query<TenantRow>(sql`
    insert into tenants (name, plan, daily_quota) values (${name}, ${plan}, ${daily_quota})
    returning ${columns}`)
  if (row === undefined) throw new Error('an insert returned nothing')
  return row
}

export async function findTenant(db: Db, id: string): Promise<TenantRow | undefined> {
  const [row] = await db.query<TenantRow>(sql`select ${columns} from tenants where id = ${id}`)
  return row
}

/** Locks the tenant until the transaction ends; readers do not wait. Undefined if the tenant does not exist. */
export async function lockPlan(tx: Db, id: string): Promise<string | undefined> {
  const [row] = await tx.query<{ plan: string }>(
    sql`select plan from tenants where id = ${id} for no key update`,
  )
  return row?.plan
}

export type PolicyRow = {
  retention_days: number
  forget_on_delivery: boolean
  hold_back: boolean
  status_unavailable: 'fail' | 'warning'
  time_zone: string
  max_attempts: number
  strict_queries: boolean
}

export type TenantSettingsRow = { id: string } & PolicyRow &
  HolderPageRow & {
    /** The cell whose key hashes the tenant's idempotency keys, if the tenant was created there and moved here. */
    hashing_cell: string | null
  }

/** What requests from wallets and pages need: the tenants' policies on results and their page settings. */
export async function readTenantSettings(
  db: Db,
  ids: string[],
): Promise<{ asOf: AsOf; rows: TenantSettingsRow[] }> {
  return queryWithAsOf<TenantSettingsRow>(
    db,
    sql`
    select id, retention_days, forget_on_delivery, hold_back, status_unavailable, time_zone, max_attempts, strict_queries,
      page_origins, wallet_links, age_app, moving_code, edited_languages_only, hashing_cell
    from tenants
    where id = ${oneOf(sql`${ids}::uuid[]`)}`,
  )
}

/** Absent members stay unchanged. Undefined if the tenant does not exist. */
export async function updatePolicies(
  tx: Db,
  id: string,
  change: { [Name in keyof PolicyRow]?: PolicyRow[Name] | undefined },
): Promise<PolicyRow | undefined> {
  const [row] = await tx.query<PolicyRow>(sql`
    update tenants
    set retention_days = coalesce(${change.retention_days}::integer, retention_days),
      forget_on_delivery = coalesce(${change.forget_on_delivery}::boolean, forget_on_delivery),
      hold_back = coalesce(${change.hold_back}::boolean, hold_back),
      status_unavailable = coalesce(${change.status_unavailable}::text, status_unavailable),
      time_zone = coalesce(${change.time_zone}::text, time_zone),
      max_attempts = coalesce(${change.max_attempts}::smallint, max_attempts),
      strict_queries = coalesce(${change.strict_queries}::boolean, strict_queries)
    where id = ${id}
    returning retention_days, forget_on_delivery, hold_back, status_unavailable, time_zone, max_attempts, strict_queries`)
  return row
}

export type HolderPageRow = {
  page_origins: string[]
  wallet_links: string[]
  age_app: boolean
  moving_code: boolean
  edited_languages_only: boolean
}

/** Absent members stay unchanged. Undefined if the tenant does not exist. */
export async function updateHolderPage(
  tx: Db,
  id: string,
  change: { [Name in keyof HolderPageRow]?: HolderPageRow[Name] | undefined },
): Promise<HolderPageRow | undefined> {
  const [row] = await tx.query<HolderPageRow>(sql`
    update tenants
    set page_origins = coalesce(${change.page_origins}::text[], page_origins),
      wallet_links = coalesce(${change.wallet_links}::text[], wallet_links),
      age_app = coalesce(${change.age_app}::boolean, age_app),
      moving_code = coalesce(${change.moving_code}::boolean, moving_code),
      edited_languages_only = coalesce(${change.edited_languages_only}::boolean, edited_languages_only)
    where id = ${id}
    returning page_origins, wallet_links, age_app, moving_code, edited_languages_only`)
  return row
}

/** The tenants after the given one, ordered by id. */
export async function readTenants(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<TenantRow[]> {
  return db.query<TenantRow>(
    sql`select ${columns} from tenants where id > ${after} order by id limit ${limit}`,
  )
}

export async function updateQuota(
  tx: Db,
  { id, daily_quota }: { id: string; daily_quota: number },
): Promise<TenantRow | undefined> {
  const [row] = await tx.query<TenantRow>(sql`
    update tenants set daily_quota = ${daily_quota} where id = ${id}
    returning ${columns}`)
  return row
}

export async function readBrand(db: Db, id: string): Promise<Brand | undefined> {
  const [row] = await db.query<{ brand: Brand }>(sql`select brand from tenants where id = ${id}`)
  return row?.brand
}

/** False if the tenant does not exist. */
export async function updateBrand(tx: Db, { id, brand }: { id: string; brand: Brand }): Promise<boolean> {
  return (await tx.execute(sql`update tenants set brand = ${brand} where id = ${id}`)) === 1
}

export type ProfileRow = Pick<PolicyRow, 'retention_days' | 'forget_on_delivery' | 'hold_back'> &
  Omit<HolderPageRow, 'page_origins'> & {
    id: string
    name: string
    brand: Brand
  }

export async function readProfiles(db: Db, ids: string[]): Promise<ProfileRow[]> {
  return db.query<ProfileRow>(sql`
    select id, name, brand, retention_days, forget_on_delivery, hold_back, wallet_links, age_app, moving_code,
      edited_languages_only
    from tenants where id = ${oneOf(sql`${ids}::uuid[]`)}`)
}

/** Deletes up to `limit` of a tenant's rows from each table, except verifications and the audit log. Zero if none is left. */
export async function deleteTenantRows(tx: Db, tenant_id: string, limit: number): Promise<number> {
  const [row] = await tx.query<{ deleted: number }>(
    sql`select delete_tenant_rows(${tenant_id}, ${limit}) as deleted`,
  )
  return row?.deleted ?? 0
}

/** Deletes up to `limit` verifications of a tenant on a day, with everything derived from them. */
export async function deleteTenantVerifications(
  tx: Db,
  { tenant_id, day, limit }: { tenant_id: string; day: string; limit: number },
): Promise<number> {
  const [row] = await tx.query<{ deleted: number }>(
    sql`select delete_tenant_verifications(${tenant_id}, ${day}, ${limit}) as deleted`,
  )
  return row?.deleted ?? 0
}

/** Deletes the tenant itself, once nothing refers to it. */
export async function deleteTenantRow(db: Db, id: string): Promise<void> {
  await db.execute(sql`delete from tenants where id = ${id}`)
}
