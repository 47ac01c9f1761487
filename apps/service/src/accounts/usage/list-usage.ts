import { Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { nilUuid } from '../../engine/db/index.ts'
import { type UsageCountRow, type UsagePeriod, readUsageCounts, readUsageTenants } from './store.ts'

const tenantsAtOnce = 100
/** The longest period of one list. */
export const maxUsage_days = 366
/** Days that were not counted yet are read verification by verification. */
const readLimits = { statement_ms: 120_000 }
const day_ms = 86_400_000

export type ListUsage = UsagePeriod & {
  /** One tenant; all of them if missing, also those that were deleted. */
  tenant_id?: string | undefined
  /** A row for each day. Otherwise one for the period. */
  by_day?: boolean
  /** Only tenants after this one. */
  after?: string | undefined
}
/** `day` is missing in the sum of a period, which is final if each of its days is. */
export type UsageEntry = Omit<UsageCountRow, 'day' | 'name'> & {
  name: string | undefined
  day: string | undefined
}

/** What tenants used, ordered by tenant and day, test and live apart. Each tenant's rows are from one snapshot. */
export async function* listUsage(
  { db }: Pick<Context, 'db'>,
  { from, to, tenant_id, by_day = false, after: first = nilUuid }: ListUsage,
): AsyncGenerator<UsageEntry> {
  const days = (Date.parse(to) - Date.parse(from)) / day_ms + 1
  if (!(days >= 1 && days <= maxUsage_days))
    throw new Refusal('invalid_request', `The period must be 1-${maxUsage_days} days.`)
  let after: string | undefined = first
  while (after !== undefined) {
    const tenants: string[] =
      tenant_id === undefined
        ? await readUsageTenants(db, { from, to, after, limit: tenantsAtOnce })
        : [tenant_id]
    const rows = await db.transaction((tx) => readUsageCounts(tx, { from, to, tenants }), readLimits)
    yield* by_day ? rows.map((row) => ({ ...row, name: row.name ?? undefined })) : sumPeriods(rows)
    after = tenants.length < tenantsAtOnce ? undefined : tenants.at(-1)
  }
}

function* sumPeriods(rows: readonly UsageCountRow[]): Generator<UsageEntry> {
  for (const ofTenant of Map.groupBy(rows, (row) => `${row.tenant_id} ${row.environment}`).values()) {
    const [first] = ofTenant
    if (first === undefined) continue
    const sum = (name: 'created' | 'completed' | 'failed' | 'declined' | 'expired' | 'pending') =>
      ofTenant.reduce((total, row) => total + row[name], 0)
    yield {
      tenant_id: first.tenant_id,
      name: first.name ?? undefined,
      day: undefined,
      environment: first.environment,
      created: sum('created'),
      completed: sum('completed'),
      failed: sum('failed'),
      declined: sum('declined'),
      expired: sum('expired'),
      pending: sum('pending'),
      final: ofTenant.every((row) => row.final),
    }
  }
}
