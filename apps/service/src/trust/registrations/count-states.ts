import type { Context } from '../../engine/context.ts'
import { notice_days } from './list-ends.ts'
import { countStates, type RegistrationCounts } from './store.ts'

/** How often the registrations are counted for the metrics. It reads all of them, and days matter here, not minutes. */
export const countStatesInterval_ms = 600_000

/** How many registrations of all tenants are in each state. Each is counted once, by the worst. */
export async function countRegistrationStates({ db }: Pick<Context, 'db'>): Promise<RegistrationCounts> {
  return countStates(db, { days: notice_days })
}

/** Updates the metric of the registrations. */
export async function reportRegistrationStates(ctx: Pick<Context, 'db' | 'metrics'>): Promise<void> {
  const counts = await countRegistrationStates(ctx)
  for (const [state, count] of Object.entries(counts)) ctx.metrics.registrations.set({ state }, count)
}
