import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

/** Only usable devices and keys count, not revoked or expired ones. */
export type PlanLimits = Record<
  'devices' | 'registrations_a_day' | 'members' | 'invitations' | 'keys' | 'templates',
  number
>

export type Plan = { name: string; by_default: boolean; daily_quota: number } & PlanLimits

const columns = sql`
  name, by_default, daily_quota, devices, registrations_a_day, members, invitations, keys, templates`

/** The default plan first. */
export async function readPlans(db: Db, limit: number): Promise<Plan[]> {
  return db.query<Plan>(
    sql`select ${columns} from plans order by by_default desc, daily_quota, name limit ${limit}`,
  )
}

/** The same, none of which is removed until the transaction ends. */
export async function sharePlans(tx: Db, limit: number): Promise<Plan[]> {
  return tx.query<Plan>(
    sql`select ${columns} from plans order by by_default desc, daily_quota, name limit ${limit} for key share`,
  )
}

/** The same, locked until the transaction ends: no other change of plans, and no tenant that gets one, comes between. */
export async function lockPlans(tx: Db, limit: number): Promise<Plan[]> {
  return tx.query<Plan>(
    sql`select ${columns} from plans order by by_default desc, daily_quota, name limit ${limit} for update`,
  )
}

export async function savePlan(tx: Db, plan: Plan): Promise<void> {
  if (plan.by_default)
    await tx.execute(sql`update plans set by_default = false where by_default and name <> ${plan.name}`)
  await tx.execute(sql`
    insert into plans (${columns})
    values (${plan.name}, ${plan.by_default}, ${plan.daily_quota}, ${plan.devices}, ${plan.registrations_a_day}, ${plan.members},
      ${plan.invitations}, ${plan.keys}, ${plan.templates})
    on conflict (name) do update set by_default = excluded.by_default, daily_quota = excluded.daily_quota,
      devices = excluded.devices, registrations_a_day = excluded.registrations_a_day, members = excluded.members,
      invitations = excluded.invitations, keys = excluded.keys, templates = excluded.templates`)
}

export async function deletePlan(tx: Db, name: string): Promise<void> {
  await tx.execute(sql`delete from plans where name = ${name}`)
}

export async function hasTenants(tx: Db, plan: string): Promise<boolean> {
  const rows = await tx.query(sql`select 1 as found from tenants where plan = ${plan} limit 1`)
  return rows.length > 0
}
