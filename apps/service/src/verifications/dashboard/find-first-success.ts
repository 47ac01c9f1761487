import type { Environment } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { daysWithSessions } from '../store.ts'
import { hasCompleted } from './store.ts'

/** How many of the newest days with sessions are searched for a completed one. */
const maxDaysSearched = 7

/** Whether anything was created and completed, judging by the newest days. */
export async function findFirstSuccess(
  { db }: Pick<Context, 'db'>,
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
