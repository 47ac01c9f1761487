import type { Verification } from '@vidimus/contract'
import type { Context } from '../../../engine/context.ts'
import { type Connection, type Db, coalesce } from '../../../engine/db/index.ts'
import type { MessageInput } from '../compose.ts'
import { type WebhookEvent, eventKey } from '../event.ts'
import { readSigningSecrets, unsealSecrets } from '../secrets/secrets.ts'
import {
  type ClaimEvents,
  type LockedEvent,
  type StartedEvent,
  changeVerificationLocks,
  claimEvents,
} from './queue-store.ts'

/** Reads verifications as the read route returns them now, by id. Verifications that no longer exist are missing from the map. */
export type ReadVerifications = (
  db: Db,
  events: readonly WebhookEvent[],
) => Promise<Map<string, Verification>>

/** `gone`: the verification or the endpoint no longer exists. `being_erased`: an erasure is in progress, which may still fail. */
export type LockResult = MessageInput | 'gone' | 'being_erased'

type LockedVerification = Omit<MessageInput, 'sent_at'>

export type VerificationLocks = {
  /** Claims events and locks the verifications of verifications against erasure until `release`. */
  claim(claim: ClaimEvents): Promise<StartedEvent[]>
  /** Reads the verifications that a claim has locked, by event. One that cannot be sent is released at once; if reading fails, all are. */
  read(events: readonly LockedEvent[]): Promise<Map<string, LockResult | Error>>
  /** Locks a verification again and reads it. */
  acquire(event: WebhookEvent): Promise<LockResult>
  /** Returns at once; only a waiting erasure depends on it. */
  release(event: WebhookEvent): void
}

const bounds = { maxBatch: 256, maxWaiting: 10_000 }

/** How long a release waits for others, or for the next claim to carry it. An erasure waits as long. */
const releaseDelay_ms = 10

/**
 * Nothing about a verification may be sent once its erasure is confirmed. A sender therefore holds a shared lock on the verification
 * from reading it until the last byte is written. All locks belong to one connection and are acquired and released in
 * batches; a transaction per message would let slow receivers exhaust the connection pool.
 */
export function openVerificationLocks(
  ctx: Pick<Context, 'db' | 'keyring'>,
  connection: Connection,
  readVerifications: ReadVerifications,
): VerificationLocks {
  const released: string[] = []
  let releaseTimer: NodeJS.Timeout | undefined

  function release({ verification_id }: WebhookEvent): void {
    released.push(verification_id)
    releaseTimer ??= setTimeout(() => {
      // This fails only if the connection is lost, which releases its locks too.
      changeVerificationLocks(connection, { release: takeReleased(), acquire: [] }).catch(() => {})
    }, releaseDelay_ms)
  }

  function takeReleased(): string[] {
    clearTimeout(releaseTimer)
    releaseTimer = undefined
    return released.splice(0)
  }

  /** Resolves to the time of the lock, or to undefined while the verification is being erased. */
  const lock = coalesce<WebhookEvent, string | undefined>({
    ...bounds,
    async run(events) {
      const locks = await changeVerificationLocks(connection, {
        release: takeReleased(),
        acquire: events.map(({ verification_id }) => verification_id),
      })
      const lockedAt = new Map(
        locks.filter(({ locked }) => locked).map((row) => [row.verification_id, row.now]),
      )
      return events.map(({ verification_id }) => lockedAt.get(verification_id))
    },
  })

  async function readContents(
    events: readonly WebhookEvent[],
    reading: Promise<(string[] | undefined)[]>,
  ): Promise<(LockedVerification | 'gone' | Error)[]> {
    const [verifications, secrets] = await Promise.all([readVerifications(ctx.db, events), reading])
    return events.map(({ verification_id, endpoint_id }, index) => {
      const verification = verifications.get(verification_id)
      const signingSecrets = secrets[index]
      if (verification === undefined) return 'gone'
      if (signingSecrets === undefined && endpoint_id !== '') return 'gone'
      if (signingSecrets === undefined) return new Error('The tenant has no webhook secret.')
      return { verification, secrets: signingSecrets }
    })
  }

  const readAgain = coalesce<WebhookEvent, LockedVerification | 'gone'>({
    ...bounds,
    run: (events) => readContents(events, readSigningSecrets(ctx, events)),
  })

  return {
    claim: (claim) => claimEvents(connection, { ...claim, released: takeReleased() }),

    async read(events) {
      const results = new Map<string, LockResult | Error>()
      const locked = events.filter((event) => event.locked)
      try {
        const verifications = await readContents(locked, unsealSecrets(ctx.keyring, locked))
        for (const [index, event] of locked.entries()) {
          const verification = verifications[index] ?? 'gone'
          const isReadable = verification !== 'gone' && !(verification instanceof Error)
          if (!isReadable) release(event)
          results.set(eventKey(event), isReadable ? { ...verification, sent_at: event.now } : verification)
        }
        return results
      } catch (error) {
        // The database failed. Nothing was sent, and the locks must not stay.
        for (const event of locked) release(event)
        throw error
      }
    },

    async acquire(event) {
      const sent_at = await lock(event)
      if (sent_at === undefined) return 'being_erased'
      try {
        const verification = await readAgain(event)
        if (verification !== 'gone') return { ...verification, sent_at }
        release(event)
        return 'gone'
      } catch (error) {
        // The database failed after the lock was acquired. Nothing was sent, and the lock must not stay.
        release(event)
        throw error
      }
    },
    release,
  }
}

export type EarlyLocks = {
  /** What reading the verification found, once the verifications of the claim are read. */
  read(event: WebhookEvent): Promise<LockResult>
  /** Hands the lock over, or acquires a new one if the time is up. The caller releases it. */
  use(event: WebhookEvent): LockResult | Promise<LockResult>
  /** Releases the lock unless it was handed over. */
  end(event: WebhookEvent): void
}

/** Locks that were taken with the claim are released after this time, so that an erasure does not wait for dialling. */
const earlyLock_ms = 250

/** The locks of the events of one claim, whose verifications are read in one statement. */
export function openEarlyLocks(locks: VerificationLocks, events: readonly LockedEvent[]): EarlyLocks {
  const unused = new Map<string, LockResult>()
  const reading = locks.read(events).then((results) => {
    for (const event of events) {
      const result = results.get(eventKey(event))
      if (typeof result === 'object' && !(result instanceof Error)) unused.set(eventKey(event), result)
    }
    timer = setTimeout(() => {
      for (const event of events) end(event)
    }, earlyLock_ms)
    return results
  })
  let timer: NodeJS.Timeout | undefined

  function end(event: WebhookEvent): void {
    if (unused.has(eventKey(event))) locks.release(event)
    discard(event)
  }

  function discard(event: WebhookEvent): void {
    unused.delete(eventKey(event))
    if (unused.size === 0) clearTimeout(timer)
  }

  return {
    async read(event) {
      const result = (await reading).get(eventKey(event)) ?? 'being_erased'
      if (result instanceof Error) throw result
      return result
    },
    use(event) {
      const result = unused.get(eventKey(event))
      discard(event)
      return result ?? locks.acquire(event)
    },
    end,
  }
}
