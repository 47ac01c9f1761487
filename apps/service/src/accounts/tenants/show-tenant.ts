import type { Context } from '../../engine/context.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { pickLimits } from '../plans/plans.ts'
import { type UsageEntry, listUsage } from '../usage/list-usage.ts'
import { getUsage } from '../usage/get-usage.ts'
import {
  type TenantCountsRow,
  type TenantRow,
  type TenantStateRow,
  findTenant,
  readState,
  readTenantCounts,
} from './store.ts'
import { listPlans } from '../plans/plans.ts'

export type ShownTenant = Omit<TenantRow, 'id'> & { tenant_id: string } & TenantStateRow & {
    limits: ReturnType<typeof pickLimits>
    created_today: number
    usage_today: UsageEntry[]
    usage_this_month: UsageEntry[]
  } & TenantCountsRow

/** What an operator asks about a tenant: its state and plan, what it used today and this month in UTC, who has access, and whether it is in use. */
export async function showTenant({ db }: Pick<Context, 'db'>, tenant_id: string): Promise<ShownTenant> {
  const [tenant, state] = [await findTenant(db, tenant_id), await readState(db, tenant_id)]
  const plan = (await listPlans({ db })).find(({ name }) => name === tenant?.plan)
  if (tenant === undefined || state === undefined || plan === undefined)
    throw new Refusal('not_found', `There is no tenant ${tenant_id}.`)
  const { day, verifications_created } = await getUsage({ db }, tenant_id)
  const list = async (from: string) => {
    const entries: UsageEntry[] = []
    for await (const entry of listUsage({ db }, { from, to: day, tenant_id })) entries.push(entry)
    return entries
  }
  const { id: _id, ...facts } = tenant
  return {
    tenant_id,
    ...facts,
    ...state,
    limits: pickLimits(plan),
    created_today: verifications_created,
    usage_today: await list(day),
    usage_this_month: await list(`${day.slice(0, 8)}01`),
    ...(await readTenantCounts(db, tenant_id)),
  }
}
