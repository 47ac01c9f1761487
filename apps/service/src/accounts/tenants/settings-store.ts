import type { Brand, Environment, HolderErasure, PublicJwk } from '@vidimus/contract'
import { type AsOf, type Db, oneOf, queryWithAsOf } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

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
    /** The keys that results are or were sealed to. If there is one, nothing is stored unsealed. */
    sealing: SealingKeyCopy[]
  }

export type SealingKeyCopy = {
  environment: Environment
  kid: string
  jwk: PublicJwk
  state: 'active' | 'retired'
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
      page_origins, wallet_links, age_app, moving_code, edited_languages_only, holder_erasure, erasure_template, hashing_cell,
      coalesce((
        select jsonb_agg(
          jsonb_build_object('environment', k.environment, 'kid', k.kid, 'jwk', k.jwk, 'state', k.state) order by k.created_at, k.kid)
        from sealing_keys k where k.tenant_id = tenants.id and k.state <> 'pending'), '[]') as sealing
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
  /** What happens when a holder asks for an erasure. */
  holder_erasure: HolderErasure
  /** With which holders without a code prove who they are. */
  erasure_template: string | null
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
      edited_languages_only = coalesce(${change.edited_languages_only}::boolean, edited_languages_only),
      holder_erasure = coalesce(${change.holder_erasure}::text, holder_erasure),
      erasure_template = case when ${change.erasure_template !== undefined} then ${change.erasure_template}::text else erasure_template end
    where id = ${id}
    returning page_origins, wallet_links, age_app, moving_code, edited_languages_only, holder_erasure, erasure_template`)
  return row
}

export async function isErasureTemplate(
  tx: Db,
  { tenant_id, key }: { tenant_id: string; key: string },
): Promise<boolean> {
  const found = await tx.query(
    sql`select 1 from tenants where id = ${tenant_id} and erasure_template = ${key}`,
  )
  return found.length > 0
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
      edited_languages_only, holder_erasure, erasure_template
    from tenants where id = ${oneOf(sql`${ids}::uuid[]`)}`)
}
