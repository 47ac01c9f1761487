import type { Context } from '../../../engine/context.ts'
import { coalesce } from '../../../engine/db/index.ts'
import type { AuthenticatedSession } from '../../../engine/basics/index.ts'
import { findSessions, markSeen, type FoundSession } from './store.ts'
import { hashToken } from '../../sign-in/tokens.ts'

const bounds = { maxBatch: 200, maxWaiting: 5000 }

/**
 * Creates the lookup of sessions. As with API keys, requests that arrive together share one statement and no result is
 * cached: the end of a session, a new role or a confirmation applies on every node from the next request on.
 */
export function sessionAuthenticator({
  db,
}: Pick<Context, 'db'>): (token: string) => Promise<AuthenticatedSession | undefined> {
  const find = coalesce<Buffer, FoundSession | undefined>({
    ...bounds,
    async run(hashes) {
      const found = new Map(
        (await findSessions(db, hashes)).map((session) => [session.token_hash.toString('latin1'), session]),
      )
      return hashes.map((hash) => found.get(hash.toString('latin1')))
    },
  })
  return async (token) => {
    const session = await find(hashToken(token))
    if (session === undefined) return undefined
    if (session.unmarked) await markSeen(db, session.token_hash)
    const { tenant_id, member_id, name, role, confirmed } = session
    return { member: { kind: 'member', tenant_id, member_id, name, role }, confirmed }
  }
}
