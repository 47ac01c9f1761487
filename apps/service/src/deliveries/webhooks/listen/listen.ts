import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../../engine/context.ts'
import { type Principal, Refusal } from '../../../engine/basics/index.ts'
import { openSlots } from '../../../engine/scheduling/index.ts'
import { composeMessage } from '../compose.ts'
import { openSessionLocks, type SessionLocks, type ReadVerifications } from '../deliver/session-locks.ts'
import { deriveListenSecret } from './secret.ts'
import {
  deleteListener,
  extendListener,
  markForwardSent,
  upsertListener,
  readPendingForwards,
  type PendingForward,
  type Listener,
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

export type Listen = {
  principal: Principal
  listener_id: string
  write: WriteEvent
  /** Whether the client disconnected or the process is stopping. */
  ended: () => boolean
  /** Whether the key is still allowed to listen. */
  authorized: () => Promise<boolean>
}

/**
 * Forwards the outcomes of a tenant's test sessions to listeners on developers' machines. As for a delivery, each is rendered
 * when it is sent, and the session is locked meanwhile, so that nothing is sent after its erasure. A listener that reconnects
 * with the same id before its lease expires misses nothing.
 */
export function openListenStreams(ctx: Context, read: ReadVerifications): (listen: Listen) => Promise<void> {
  const slots = openSlots({ each: listenBounds.maxListenersPerTenant, all: listenBounds.maxStreams })
  let streams = 0
  let lockConnection: Promise<{ locks: SessionLocks; close: () => void; lost: AbortSignal }> | undefined

  /** All streams share one connection for their locks, which is closed with the last stream. */
  async function openLocks() {
    if (lockConnection !== undefined && (await lockConnection).lost.aborted) lockConnection = undefined
    lockConnection ??= ctx.db.connection().then((connection) => ({
      locks: openSessionLocks(ctx, connection, read),
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

type SendForward = { listener: Listener; locks: SessionLocks; write: WriteEvent }

async function sendForward(
  ctx: Context,
  { listener, locks, write }: SendForward,
  forward: PendingForward,
): Promise<void> {
  const { tenant_id } = listener
  const receiver = { tenant_id, environment: 'test', endpoint_id: '', url: '' } as const
  const event = { ...forward, ...receiver, forget_on_delivery: false }
  const lock = await locks.acquire(event)
  // Erased, or being erased: the forward's row is deleted with the session.
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
