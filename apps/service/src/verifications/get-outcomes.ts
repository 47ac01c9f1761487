import type { Environment, Overview } from '@vidimus/contract'
import type { Context } from '../context.ts'
import { mostCounted, readFirsts, readOutcomes, readTopFailures } from './dashboard-store.ts'

export type OutcomeFigures = {
  outcomes: Overview['outcomes']
  created: boolean
  completed: boolean
}

/** How a tenant's verifications of the last week ended, in figures. */
export async function getOutcomes(
  { db }: Pick<Context, 'db'>,
  where: { tenant_id: string; environment: Environment },
): Promise<OutcomeFigures> {
  const [{ median_seconds, ...counts }, top_failures, firsts] = await Promise.all([
    readOutcomes(db, where),
    readTopFailures(db, where),
    readFirsts(db, where),
  ])
  const all = counts.completed + counts.failed + counts.expired + counts.pending
  return {
    outcomes: {
      days: 7,
      ...counts,
      ...(median_seconds !== null && { median_seconds }),
      top_failures,
      sampled: all >= mostCounted,
    },
    ...firsts,
  }
}
