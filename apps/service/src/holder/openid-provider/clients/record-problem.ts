import type { Context } from '../../../engine/context.ts'
import type { OAuthError, OAuthErrorCode } from '../oauth-error.ts'
import { clearProblem, writeProblem, type ClientKey, type ClientRow } from './store.ts'
import type { Db } from '../../../engine/db/index.ts'

/** The minimum time between two records for one client. Anyone can send wrong requests in its name. */
export const problemPause_seconds = 1

/** Not mistakes in how a site is set up. */
const others: ReadonlySet<OAuthErrorCode> = new Set(['login_required', 'temporarily_unavailable'])

/** Records why a request of a client's site was refused, for the people who set up the site. Does nothing if there is no such client. */
export async function recordProblem(
  { db }: Pick<Context, 'db'>,
  { tenant_id, id }: ClientKey,
  error: Pick<OAuthError, 'code' | 'message'>,
): Promise<void> {
  if (others.has(error.code)) return
  await writeProblem(db, { tenant_id, id, problem: error.message, pause_seconds: problemPause_seconds })
}

/** A request that succeeded shows that the problem was solved. */
export async function forgetProblem(tx: Db, client: ClientRow): Promise<void> {
  if (client.last_problem !== null) await clearProblem(tx, client)
}
