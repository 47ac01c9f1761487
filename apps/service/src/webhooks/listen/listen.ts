import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import type { Principal } from '../../platform/principal.ts'
import { Refusal } from '../../platform/refusal.ts'
import { openSlots } from '../../platform/slots.ts'
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

/** What goes down the line to a listener. */
type ListenEvent =
  | { event: 'ready'; data: { secret: string } }
  | { event: 'delivery'; data: { id: string; headers: Record<string, string>; body: string } }

/** Writes one event, or a sign of life, and returns once it is on its way. */
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
  /** The listener hung up, or the process was told to stop. */
  ended: () => boolean
  /** Whether the key may still listen. */
  authorized: () => Promise<boolean>
}

/**
 * Forwards the outcomes of a tenant's test sessions to somebody who listens, for a developer's own machine. Each is rendered
 * when it is sent, and the session is held while it leaves, as for a delivery: nothing follows its erasure. A listener that
 * comes back with the same id within its lease has missed nothing.
 */
export function openListenStreams(ctx: Context, read: ReadVerifications): (listen: Listen) => Promise<void> {
  const slots = openSlots({ each: listenBounds.maxListenersPerTenant, all: listenBounds.maxStreams })
  let streams = 0
  let lockConnection: Promise<{ holds: SessionLocks; close: () => void; lost: AbortSignal }> | undefined

  /** One connection holds the sessions of all streams, for as long as there is one. */
  async function openLocks() {
    if (lockConnection !== undefined && (await lockConnection).lost.aborted) lockConnection = undefined
    lockConnection ??= ctx.db.connection().then((connection) => ({
      holds: openSessionLocks(ctx, connection, read),
      close: () => connection.close(),
      lost: connection.lost,
    }))
    return (await lockConnection).holds
  }

  async function leave(): Promise<void> {
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
    // Counted by open streams, not by the rows of listeners: a row can be deleted while its stream stays open.
    const endStream = slots.take(tenant_id)
    if (endStream === 'each') throw tooManyListeners()
    if (endStream === 'all')
      throw new Refusal('overloaded', 'Too many are listening here. Try again in a moment.', 10)
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
        const waiting = await readPendingForwards(ctx.db, listener, listenBounds.maxBatch)
        if (waiting.length > 0 && !(await authorized())) return await stopListening(ctx, listener)
        for (const forward of waiting)
          await sendForward(ctx, { listener, locks: await openLocks(), write }, forward)
        if (waiting.length === 0) await sleep(listenBounds.poll_ms)
      }
    } finally {
      endStream()
      await leave()
    }
  }
}

/** Ends a listener at once, so that nothing more is kept for it. An open stream of it ends when it would renew its lease. */
export async function stopListening({ db }: Pick<Context, 'db'>, listener: Listener): Promise<void> {
  await deleteListener(db, listener)
}

export function requireTestKey({ kind, environment }: Principal): void {
  if (kind !== 'key' || environment !== 'test')
    throw new Refusal('insufficient_scope', 'Listening is for the test environment: use a vk_test_ key.')
}

async function startListening({ db }: Context, listener: Listener): Promise<void> {
  const { lease_seconds, maxListenersPerTenant: most } = listenBounds
  if (!(await upsertListener(db, listener, { lease_seconds, most }))) throw tooManyListeners()
}

function tooManyListeners(): Refusal {
  const { lease_seconds, maxListenersPerTenant: most } = listenBounds
  return new Refusal('rate_limit_exceeded', `${most} are listening for this tenant already.`, lease_seconds)
}

type SendForward = { listener: Listener; locks: SessionLocks; write: WriteEvent }

async function sendForward(
  ctx: Context,
  { listener, locks: holds, write }: SendForward,
  forward: PendingForward,
): Promise<void> {
  const { tenant_id } = listener
  const event = { ...forward, tenant_id, environment: 'test', url: '', forget_on_delivery: false } as const
  const hold = await holds.acquire(event)
  // Erased, or just being erased: its row goes with it.
  if (hold === 'gone' || hold === 'busy') return
  try {
    const moment = { ...hold, secrets: [deriveListenSecret(ctx.keyring, tenant_id)] }
    const message = composeMessage(ctx.keyring, { ...event, attempt: 1 }, moment)
    await write({ event: 'delivery', data: { id: forward.id, ...message } })
    await markForwardSent(ctx.db, forward)
  } finally {
    holds.release(event)
  }
}
