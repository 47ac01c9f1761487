import { type Db, nilUuid } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'
import type { PlanLimits } from '../plans/store.ts'

export type TenantRow = {
  id: string
  name: string
  plan: string
  /** The tenant's own, or its plan's. */
  daily_quota: number
  has_own_quota: boolean
  approval: Approval
  created_at: string
}

const columns = sql`
  t.id, t.name, t.plan, coalesce(t.daily_quota, p.daily_quota) as daily_quota, t.daily_quota is not null as has_own_quota,
  t.approval, t.created_at`
const tenantsWithPlans = sql`tenants t join plans p on p.name = t.plan`

/** What the operator has approved: everything; or, of a tenant that signed up, not yet or never live verifications, or not yet any. */
export type Approval = 'approved' | 'pending' | 'waiting' | 'refused'

export type NewTenant = {
  id?: string | undefined
  name: string
  plan: string
  own_quota: number | null
  external_id: string | null
  approval: Approval
}

/** Returns the id; undefined if there is a tenant with the external id. */
export async function insertTenant(
  tx: Db,
  { id, name, plan, own_quota, external_id, approval }: NewTenant,
): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>(sql`
    insert into tenants (id, name, plan, daily_quota, external_id, approval)
    values (coalesce(${id ?? null}::uuid, gen_random_uuid()), ${name}, ${plan}, ${own_quota}, ${external_id}, ${approval})
    on conflict (external_id) do nothing
    returning id`)
  return row?.id
}

export async function findTenant(db: Db, id: string): Promise<TenantRow | undefined> {
  const [row] = await db.query<TenantRow>(sql`select ${columns} from ${tenantsWithPlans} where t.id = ${id}`)
  return row
}

/**
 * The limits of a tenant's plan. Locks the tenant until the transaction ends, so that of two concurrent creations only one
 * can take the last place; readers do not wait. Undefined if the tenant does not exist.
 */
export async function lockPlanLimits(tx: Db, id: string): Promise<PlanLimits | undefined> {
  const [row] = await tx.query<PlanLimits>(sql`
    select p.devices, p.registrations_a_day, p.members, p.invitations, p.keys, p.templates
    from ${tenantsWithPlans} where t.id = ${id} for no key update of t`)
  return row
}

/** The tenants after the given one, ordered by id. */
export async function readTenants(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<TenantRow[]> {
  return db.query<TenantRow>(
    sql`select ${columns} from ${tenantsWithPlans} where t.id > ${after} order by t.id limit ${limit}`,
  )
}

/** Null: that of its plan. False if the tenant does not exist. */
export async function updateQuota(
  tx: Db,
  { id, own_quota }: { id: string; own_quota: number | null },
): Promise<boolean> {
  return (await tx.execute(sql`update tenants set daily_quota = ${own_quota} where id = ${id}`)) === 1
}

/** False if the tenant does not exist. */
export async function updatePlan(tx: Db, { id, plan }: { id: string; plan: string }): Promise<boolean> {
  return (await tx.execute(sql`update tenants set plan = ${plan} where id = ${id}`)) === 1
}

export type TenantCountsRow = {
  members: number
  usable_keys: number
  /** When a key was used, a member was seen or a verification was created; null if never. */
  last_active_at: string | null
}

/** Every count is bounded: a tenant has few of them. */
export async function readTenantCounts(db: Db, id: string): Promise<TenantCountsRow> {
  const [row] = await db.query<TenantCountsRow>(sql`
    select (select count(*) from members m where m.tenant_id = ${id}) as members,
      (select count(*) from api_keys k
        where k.tenant_id = ${id} and k.revoked_at is null and coalesce(k.expires_at > service_now(), true)) as usable_keys,
      nullif(greatest(
        (select max(k.last_used_at) from api_keys k where k.tenant_id = ${id}),
        (select max(m.last_seen_at) from members m where m.tenant_id = ${id}),
        (select u.last_created_at from tenant_usage u where u.tenant_id = ${id})), '-infinity') as last_active_at`)
  if (row === undefined) throw new Error('a select of one row returned none')
  return row
}

export type TenantState = 'active' | 'suspended' | 'closed'

/** Waits for the creations of the tenant that are being decided, and lets none begin until the transaction ends. */
export async function lockCreations(tx: Db, tenant_id: string): Promise<void> {
  await tx.query(sql`select 1 as locked from tenant_usage where tenant_id = ${tenant_id} for update`)
}

/** A closed tenant stays closed, and one that is to be deleted stays as it is. False if it would not, or does not exist. */
export async function updateState(
  tx: Db,
  { id, state, reason }: { id: string; state: TenantState; reason: string | null },
): Promise<boolean> {
  const changed = await tx.execute(sql`
    update tenants set state = ${state}, state_reason = ${reason}, state_changed_at = service_now()
    where id = ${id} and (state <> 'closed' or ${state} = 'closed') and (deletion_at is null or ${state} <> 'active')`)
  return changed === 1
}

export type TenantStateRow = {
  state: TenantState
  approval: Approval
  state_reason: string | null
  state_changed_at: string | null
}

export async function readState(db: Db, id: string): Promise<TenantStateRow | undefined> {
  const [row] = await db.query<TenantStateRow>(
    sql`select state, state_reason, state_changed_at, approval from tenants where id = ${id}`,
  )
  return row
}

/** A refused tenant that could not be used at all is closed. Undefined if the tenant does not exist, or never signed up. */
export async function updateApproval(
  tx: Db,
  { id, approval, reason }: { id: string; approval: 'approved' | 'refused'; reason: string | null },
): Promise<Pick<TenantStateRow, 'state'> | undefined> {
  const [row] = await tx.query<Pick<TenantStateRow, 'state'>>(sql`
    update tenants t
    set approval = ${approval},
      state = case when closes then 'closed' else t.state end,
      state_reason = case when closes then ${reason} else t.state_reason end,
      state_changed_at = case when closes then service_now() else t.state_changed_at end
    from (
      select id, approval = 'waiting' and ${approval} = 'refused' as closes
      from tenants where id = ${id} and approval <> 'approved' for update
    ) before
    where t.id = before.id
    returning t.state`)
  return row
}

export type SignedUpTenantRow = Pick<TenantRow, 'id' | 'name' | 'approval' | 'created_at'> & {
  state: TenantState
  /** Of its first owner; null if there is none any more. */
  email: string | null
}

const signedUpColumns = sql`
  t.id, t.name, t.approval, t.state, t.created_at, (
    select m.email from members m
    where m.tenant_id = t.id and m.role = 'owner' order by m.created_at, m.id limit 1) as email`

export async function readSignedUp(db: Db, id: string): Promise<SignedUpTenantRow | undefined> {
  const [row] = await db.query<SignedUpTenantRow>(
    sql`select ${signedUpColumns} from tenants t where t.id = ${id}`,
  )
  return row
}

/** The tenants that wait for the operator's approval, oldest first, after the given one. */
export async function readUnapproved(
  db: Db,
  { after, limit }: { after: { created_at: string; id: string } | undefined; limit: number },
): Promise<SignedUpTenantRow[]> {
  return db.query<SignedUpTenantRow>(sql`
    select ${signedUpColumns} from tenants t
    where t.approval in ('pending', 'waiting') and t.state <> 'closed'
      and (t.created_at, t.id) > (${after?.created_at ?? '-infinity'}::timestamptz, ${after?.id ?? nilUuid}::uuid)
    order by t.created_at, t.id
    limit ${limit}`)
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
