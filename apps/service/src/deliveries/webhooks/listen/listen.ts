import { setTimeout as sleep } from 'node:timers/promises'
import type { ForwardedEvent } from '@vidimus/contract'
import { type Principal, Refusal } from '../../../engine/basics/index.ts'
import type { Context } from '../../../engine/context.ts'
import type { Db } from '../../../engine/db/index.ts'
import type { Keyring } from '../../../engine/keyring/index.ts'
import { openSlots } from '../../../engine/scheduling/index.ts'
import { composeMessage } from '../compose.ts'
import {
  type ReadVerifications,
  type VerificationLocks,
  openVerificationLocks,
} from '../deliver/verification-locks.ts'
import type { VerificationOutcome } from '../event.ts'
import {
  type Listener,
  type PendingForward,
  type ReadForwards,
  type SentForward,
  deleteListener,
  extendListener,
  insertForwards,
  markForwardSent,
  readForwards,
  readPendingForwards,
  recordForward,
  upsertListener,
} from './store.ts'

type ListenEvent =
  | { event: 'ready'; data: { secret: string } }
  | { event: 'delivery'; data: { id: string; headers: Record<string, string>; body: string } }

/** Writes one event, or a comment that keeps the connection alive, and resolves once it is flushed. */
type WriteEvent = (event: ListenEvent | 'still here') => Promise<void>

export const listenBounds = {
  poll_ms: 250,
  renew_ms: 10_000,
  lease_seconds: 60,
  maxListenersPerTenant: 5,
  maxStreams: 50,
  maxBatch: 20,
}

type Listen = {
  principal: Principal
  listener_id: string
  write: WriteEvent
  /** Whether the client disconnected or the process is stopping. */
  ended: () => boolean
  /** Whether the key is still allowed to listen. */
  authorized: () => Promise<boolean>
}

/**
 * Forwards the outcomes of a tenant's test verifications to listeners on developers' machines. As for a delivery, each is rendered
 * when it is sent, and the verification is locked meanwhile, so that nothing is sent after its erasure. A listener that reconnects
 * with the same id before its lease expires misses nothing.
 */
export function openListenStreams(ctx: Context, read: ReadVerifications): (listen: Listen) => Promise<void> {
  const slots = openSlots({ each: listenBounds.maxListenersPerTenant, all: listenBounds.maxStreams })
  let streams = 0
  let lockConnection: Promise<{ locks: VerificationLocks; close: () => void; lost: AbortSignal }> | undefined

  /** All streams share one connection for their locks, which is closed with the last stream. */
  async function openLocks() {
    if (lockConnection !== undefined && (await lockConnection).lost.aborted) lockConnection = undefined
    lockConnection ??= ctx.db.connection().then((connection) => ({
      locks: openVerificationLocks(ctx, connection, read),
      close: () => connection.close(),
      lost: connection.lost,
    }))
    return (await lockConnection).locks
  }

  async function closeStream(): Promise<void> {
    streams -= 1
    if (streams > 0) return
    const last = lockConnection
    lockConnection = undefined
    await last?.then(({ close }) => close())
  }

  return async ({ principal, listener_id, write, ended, authorized }) => {
    requireTestKey(principal)
    const { tenant_id } = principal
    const listener = { tenant_id, listener_id }
    // Open streams are counted, not rows: a listener's row can be deleted while its stream stays open.
    const releaseSlot = slots.take(tenant_id)
    if (releaseSlot === 'each') throw tooManyListeners()
    if (releaseSlot === 'all')
      throw new Refusal('overloaded', 'Too many listeners are connected. Try again in a moment.', 10)
    streams += 1
    try {
      await startListening(ctx, listener)
      await write({ event: 'ready', data: { secret: deriveListenSecret(ctx.keyring, tenant_id) } })
      let renewed_ms = performance.now()
      while (!ended()) {
        if (performance.now() - renewed_ms > listenBounds.renew_ms) {
          renewed_ms = performance.now()
          if (!(await authorized())) return await stopListening(ctx, listener)
          if (!(await extendListener(ctx.db, listener, listenBounds.lease_seconds))) break
          await write('still here')
        }
        const pending = await readPendingForwards(ctx.db, listener, listenBounds.maxBatch)
        if (pending.length > 0 && !(await authorized())) return await stopListening(ctx, listener)
        for (const forward of pending)
          await sendForward(ctx, { listener, locks: await openLocks(), write }, forward)
        if (pending.length === 0) await sleep(listenBounds.poll_ms)
      }
    } finally {
      releaseSlot()
      await closeStream()
    }
  }
}

/** Deletes a listener, so that no more events are kept for it. Its open stream ends at the next lease renewal. */
export async function stopListening({ db }: Pick<Context, 'db'>, listener: Listener): Promise<void> {
  await deleteListener(db, listener)
}

export function requireTestKey({ kind, environment }: Principal): void {
  if (kind !== 'key' || environment !== 'test')
    throw new Refusal(
      'insufficient_scope',
      'Listening is available in the test environment only. Use a vk_test_ key.',
    )
}

async function startListening({ db }: Context, listener: Listener): Promise<void> {
  const { lease_seconds, maxListenersPerTenant: max } = listenBounds
  if (!(await upsertListener(db, listener, { lease_seconds, max }))) throw tooManyListeners()
}

function tooManyListeners(): Refusal {
  const { lease_seconds, maxListenersPerTenant: max } = listenBounds
  return new Refusal(
    'rate_limit_exceeded',
    `This tenant already has ${max} listeners. Stop one and try again.`,
    lease_seconds,
  )
}

type SendForward = { listener: Listener; locks: VerificationLocks; write: WriteEvent }

async function sendForward(
  ctx: Context,
  { listener, locks, write }: SendForward,
  forward: PendingForward,
): Promise<void> {
  const { tenant_id } = listener
  const receiver = { tenant_id, environment: 'test', endpoint_id: '', url: '' } as const
  const event = { ...forward, ...receiver, forget_on_delivery: false }
  const lock = await locks.acquire(event)
  // Erased, or being erased: the forward's row is deleted with the verification.
  if (lock === 'gone' || lock === 'being_erased') return
  try {
    // A receiver accepts any signature that matches, so it works with the secret of deliveries as well.
    const input = { ...lock, secrets: [deriveListenSecret(ctx.keyring, tenant_id), ...lock.secrets] }
    const message = await composeMessage(ctx.keyring, { ...event, attempt: 1 }, input)
    await write({ event: 'delivery', data: { id: forward.id, ...message } })
    await markForwardSent(ctx.db, forward)
  } finally {
    locks.release(event)
  }
}

/** The events forwarded to listeners, newest first, as the delivery log shows them among the attempts. */
export async function listForwards(
  { db }: Pick<Context, 'db'>,
  filter: ReadForwards,
): Promise<ForwardedEvent[]> {
  return (await readForwards(db, filter)).map(viewForward)
}

function viewForward(row: SentForward): ForwardedEvent {
  return {
    forward_id: row.id,
    verification_id: row.verification_id,
    attempted_at: row.sent_at,
    outcome: row.outcome ?? 'unreported',
    ...(row.status !== null && { status: row.status }),
    ...(row.duration_ms !== null && { duration_ms: row.duration_ms }),
    ...(row.error !== null && { error: row.error }),
  }
}

/** Queues a test outcome for the tenant's listeners, in the transaction that publishes it. */
export async function offerToListeners(tx: Db, event: VerificationOutcome): Promise<void> {
  if (event.environment === 'test') await insertForwards(tx, event)
}

/** The response of the developer's machine; `status` is 0 if there was none. */
type ReportForward = { id: string; status: number; duration_ms: number }

/** Logs the outcome of a forward as the listener reports it. It does not complete a delivery. */
export async function reportForward(
  { db }: Pick<Context, 'db'>,
  principal: Principal,
  { id, status, duration_ms }: ReportForward,
): Promise<void> {
  requireTestKey(principal)
  const isSuccess = status >= 200 && status < 300
  const recorded = await recordForward(db, principal.tenant_id, {
    id,
    outcome: isSuccess ? 'delivered' : 'failed',
    status: status === 0 ? null : status,
    duration_ms,
    error: isSuccess ? null : status === 0 ? 'no response' : `responded with status ${status}`,
  })
  if (!recorded)
    throw new Refusal('not_found', 'No forwarded event has this id, or its outcome was already reported.')
}

/** The secret that signs a tenant's forwards. It never changes, so it is configured once, and it differs from the secret for deliveries. */
function deriveListenSecret(keyring: Pick<Keyring, 'mac'>, tenant_id: string): string {
  return `whsec_${keyring.mac('listen secret', tenant_id).toString('base64url')}`
}
