import type { Verification } from '@vidimus/contract'
import type { Context } from '../../context.ts'
import { coalesce } from '../../platform/coalesce.ts'
import type { Connection, Db } from '../../platform/db/open.ts'
import type { MessageInput } from '../compose.ts'
import { readSigningSecrets } from '../secrets/read-secrets.ts'
import type { WebhookEvent } from '../event.ts'
import { changeSessionLocks } from '../store.ts'

/** Verifications as the read route returns them at this moment, by id. One that is gone is not among them. */
export type ReadVerifications = (
  db: Db,
  events: readonly WebhookEvent[],
) => Promise<Map<string, Verification>>

/** `gone`: the session is no more. `busy`: it is just being erased, and will be gone unless that fails. */
export type LockResult = MessageInput | 'gone' | 'busy'

export type SessionLocks = {
  /** Looks at a session and keeps its erasure waiting until `release`. */
  acquire(event: WebhookEvent): Promise<LockResult>
  /** Nobody waits for it: the erasure does. */
  release(event: WebhookEvent): void
}

const bounds = { maxBatch: 256, maxWaiting: 10_000 }

/**
 * Nothing of a session may leave after its erasure has answered. So whoever sends holds the session while it does: from
 * its last look until the last byte is gone. The holds are locks of one connection, taken and released many at a time;
 * a transaction for each would let a receiver that reads slowly use up the connections of everybody.
 */
export function openSessionLocks(
  ctx: Pick<Context, 'db' | 'keyring'>,
  connection: Connection,
  readVerifications: ReadVerifications,
): SessionLocks {
  /** Takes and releases, as they come. A take is answered with its time, or undefined while the session is being erased. */
  const change = coalesce<LockChange, string | undefined>({
    ...bounds,
    async run(changes) {
      const ids = (kind: LockChange['kind']) =>
        changes.filter((each) => each.kind === kind).map(({ session_id }) => session_id)
      const locks = await changeSessionLocks(connection, { release: ids('release'), acquire: ids('take') })
      const held = new Map(locks.filter((lock) => lock.held).map(({ session_id, now }) => [session_id, now]))
      return changes.map(({ kind, session_id }) => (kind === 'take' ? held.get(session_id) : undefined))
    },
  })

  const release = (session_id: string) => {
    // It fails only when the connection is lost, and then the locks are free.
    change({ kind: 'release', session_id }).catch(() => {})
  }

  /** Each session as it is now, or why there is nothing to send of it. */
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
        const signing = secrets.get(tenant_id)
        if (verification === undefined) return 'gone'
        if (signing === undefined) return new Error('a tenant has no webhook secret')
        return { verification, secrets: signing }
      })
    },
  })

  return {
    async acquire(event) {
      const { session_id } = event
      const sent_at = await change({ kind: 'take', session_id })
      if (sent_at === undefined) return 'busy'
      try {
        const seen = await readSession(event)
        if (seen !== 'gone') return { ...seen, sent_at }
        release(session_id)
        return 'gone'
      } catch (error) {
        // The database failed between the lock and the look. Nothing was sent, and the lock must not stay.
        release(session_id)
        throw error
      }
    },
    release: ({ session_id }) => release(session_id),
  }
}

type LockChange = { kind: 'take' | 'release'; session_id: string }
