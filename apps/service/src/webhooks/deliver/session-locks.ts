import type { Verification } from '@vidimus/contract'
import type { Context } from '../../context.ts'
import { coalesce } from '../../platform/coalesce.ts'
import type { Connection, Db } from '../../platform/db/open.ts'
import type { MessageInput } from '../compose.ts'
import { readSigningSecrets } from '../secrets/read-secrets.ts'
import type { WebhookEvent } from '../event.ts'
import { changeSessionLocks } from './queue-store.ts'

/** Reads verifications as the read route returns them now, by id. Sessions that no longer exist are missing from the map. */
export type ReadVerifications = (
  db: Db,
  events: readonly WebhookEvent[],
) => Promise<Map<string, Verification>>

/** `gone`: the session no longer exists. `being_erased`: an erasure is in progress, which may still fail. */
export type LockResult = MessageInput | 'gone' | 'being_erased'

export type SessionLocks = {
  /** Locks a session against erasure until `release`, and reads it. */
  acquire(event: WebhookEvent): Promise<LockResult>
  /** Returns at once; only a waiting erasure depends on it. */
  release(event: WebhookEvent): void
}

const bounds = { maxBatch: 256, maxWaiting: 10_000 }

/**
 * Nothing about a session may be sent once its erasure is confirmed. A sender therefore holds a shared lock on the session
 * from reading it until the last byte is written. All locks belong to one connection and are acquired and released in
 * batches; a transaction per message would let slow receivers exhaust the connection pool.
 */
export function openSessionLocks(
  ctx: Pick<Context, 'db' | 'keyring'>,
  connection: Connection,
  readVerifications: ReadVerifications,
): SessionLocks {
  /** Resolves an acquisition to its time, or to undefined while the session is being erased. */
  const change = coalesce<LockChange, string | undefined>({
    ...bounds,
    async run(changes) {
      const ids = (kind: LockChange['kind']) =>
        changes.filter((each) => each.kind === kind).map(({ session_id }) => session_id)
      const locks = await changeSessionLocks(connection, { release: ids('release'), acquire: ids('acquire') })
      const acquiredAt = new Map(
        locks.filter((lock) => lock.locked).map(({ session_id, now }) => [session_id, now]),
      )
      return changes.map(({ kind, session_id }) =>
        kind === 'acquire' ? acquiredAt.get(session_id) : undefined,
      )
    },
  })

  const release = (session_id: string) => {
    // This fails only if the connection is lost, which releases its locks too.
    change({ kind: 'release', session_id }).catch(() => {})
  }

  /** Reads a session as it is now, or says that it is gone. */
  const readSession = coalesce<WebhookEvent, Omit<MessageInput, 'sent_at'> | 'gone'>({
    ...bounds,
    async run(events) {
      const tenants = [...new Set(events.map(({ tenant_id }) => tenant_id))]
      const [verifications, secrets] = await Promise.all([
        readVerifications(ctx.db, events),
        readSigningSecrets(ctx, tenants),
      ])
      return events.map(({ session_id, tenant_id }) => {
        const verification = verifications.get(session_id)
        const signingSecrets = secrets.get(tenant_id)
        if (verification === undefined) return 'gone'
        if (signingSecrets === undefined) return new Error('The tenant has no webhook secret.')
        return { verification, secrets: signingSecrets }
      })
    },
  })

  return {
    async acquire(event) {
      const { session_id } = event
      const sent_at = await change({ kind: 'acquire', session_id })
      if (sent_at === undefined) return 'being_erased'
      try {
        const session = await readSession(event)
        if (session !== 'gone') return { ...session, sent_at }
        release(session_id)
        return 'gone'
      } catch (error) {
        // The database failed after the lock was acquired. Nothing was sent, and the lock must not stay.
        release(session_id)
        throw error
      }
    },
    release: ({ session_id }) => release(session_id),
  }
}

type LockChange = { kind: 'acquire' | 'release'; session_id: string }
