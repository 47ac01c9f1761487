import type { Verification } from '@vidimus/contract'
import type { Context } from '../context.ts'
import { coalesce } from '../platform/coalesce.ts'
import type { Connection, Db } from '../platform/db/open.ts'
import type { Moment } from './compose.ts'
import { readSigningSecrets } from './read-secrets.ts'
import type { WebhookEvent } from './event.ts'
import { holdSessions, releaseSessions } from './store.ts'

/** Verifications as the read route returns them at this moment, by id. One that is gone is not among them. */
export type ReadVerifications = (
  db: Db,
  events: readonly WebhookEvent[],
) => Promise<Map<string, Verification>>

/** `gone`: the session is no more. `busy`: it is just being erased, and will be gone unless that fails. */
export type Hold = Moment | 'gone' | 'busy'

export type Holds = {
  /** Looks at a session and keeps its erasure waiting until `release`. */
  take(event: WebhookEvent): Promise<Hold>
  /** Nobody waits for it: the erasure does. */
  release(event: WebhookEvent): void
}

const bounds = { maxBatch: 256, maxWaiting: 10_000 }

/**
 * Nothing of a session may leave after its erasure has answered. So whoever sends holds the session while it does: from
 * its last look until the last byte is gone. The holds are locks of one connection, taken and released many at a time;
 * a transaction for each would let a receiver that reads slowly use up the connections of everybody.
 */
export function openHolds(
  ctx: Pick<Context, 'db' | 'keyring'>,
  connection: Connection,
  readVerifications: ReadVerifications,
): Holds {
  /** Each session as it is now, or why there is nothing to send of it. */
  async function look(held: WebhookEvent[], now: string): Promise<Map<string, Hold | Error>> {
    const tenants = [...new Set(held.map(({ tenant_id }) => tenant_id))]
    const [verifications, secrets] = await Promise.all([
      readVerifications(ctx.db, held),
      readSigningSecrets(ctx, tenants),
    ])
    return new Map(
      held.map(({ session_id, tenant_id }): [string, Hold | Error] => {
        const verification = verifications.get(session_id)
        const signing = secrets.get(tenant_id)
        if (verification === undefined) return [session_id, 'gone']
        if (signing === undefined) return [session_id, new Error('a tenant has no webhook secret')]
        return [session_id, { verification, secrets: signing, sent_at: now }]
      }),
    )
  }

  const unlock = coalesce<string, void>({
    ...bounds,
    async run(session_ids) {
      await releaseSessions(connection, session_ids)
      return session_ids.map(() => undefined)
    },
  })
  const release = (session_id: string) => {
    // It fails only when the connection is lost, and then the locks are free.
    unlock(session_id).catch(() => {})
  }

  const take = coalesce<WebhookEvent, Hold>({
    ...bounds,
    lanes: 1,
    keyOf: ({ session_id }) => session_id,
    async run(events) {
      const locks = await holdSessions(
        connection,
        events.map(({ session_id }) => session_id),
      )
      const held = new Set(locks.filter((lock) => lock.held).map(({ session_id }) => session_id))
      try {
        const mine = events.filter(({ session_id }) => held.has(session_id))
        const seen = await look(mine, locks[0]?.now ?? '')
        for (const [session_id, hold] of seen)
          if (hold === 'gone' || hold instanceof Error) release(session_id)
        return events.map(({ session_id }) => seen.get(session_id) ?? 'busy')
      } catch (error) {
        // The database failed between the lock and the look. Nothing was sent, and the locks must not stay.
        for (const session_id of held) release(session_id)
        throw error
      }
    },
  })

  return { take, release: ({ session_id }) => release(session_id) }
}
