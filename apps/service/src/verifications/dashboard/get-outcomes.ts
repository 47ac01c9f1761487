import type { Environment, Overview } from '@vidimus/contract'
import type { Context } from '../../context.ts'
import type { Db } from '../../platform/db/open.ts'
import { hasCompleted, maxCounted, readFirstDay, readOutcomes, readTopFailures } from './store.ts'
import { daysWithSessions } from '../store.ts'

const days = 7
/** How many of the newest days with sessions are searched for a completed one. */
const maxDaysSearched = 7

export type OutcomeSummary = {
  outcomes: Overview['outcomes']
  created: boolean
  completed: boolean
}

/** How many of a tenant's verifications of the last week ended in which way. */
export async function getOutcomes(
  { db }: Pick<Context, 'db'>,
  scope: { tenant_id: string; environment: Environment },
): Promise<OutcomeSummary> {
  const recent = { ...scope, since: await readFirstDay(db, days) }
  const [{ median_seconds, ...counts }, top_failures, firstSuccess] = await Promise.all([
    readOutcomes(db, recent),
    readTopFailures(db, recent),
    findFirstSuccess(db, scope),
  ])
  const all = counts.completed + counts.failed + counts.expired + counts.pending
  return {
    outcomes: {
      days,
      ...counts,
      ...(median_seconds !== null && { median_seconds }),
      top_failures,
      sampled: all >= maxCounted,
    },
    ...firstSuccess,
  }
}

/** Whether anything was created and completed, judging by the newest days. */
async function findFirstSuccess(
  db: Db,
  scope: { tenant_id: string; environment: Environment },
): Promise<{ created: boolean; completed: boolean }> {
  let searched = 0
  for await (const day of daysWithSessions(db, scope, null)) {
    if (await hasCompleted(db, { ...scope, day })) return { created: true, completed: true }
    searched += 1
    if (searched === maxDaysSearched) break
  }
  return { created: searched > 0, completed: false }
}
