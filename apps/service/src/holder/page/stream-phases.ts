import { setTimeout as sleep } from 'node:timers/promises'
import type { HolderPhaseEvent } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { isTemporary } from '../../engine/db/index.ts'
import { Refusal, notFound } from '../../engine/basics/index.ts'
import { type ReleaseSlot, type Slots, openSlots } from '../../engine/scheduling/index.ts'
import { findHolderPhase, maxWaitingPhases } from '../../verifications/index.ts'
import { isOpen, toPhase } from './get-verification.ts'
import type { AddressKey } from '../../engine/limits/index.ts'

/** Open streams. A page opens one; people behind one address may be a crowd. */
export const maxPhaseStreams = { address: 500, verification: 8, all: maxWaitingPhases }
export const phaseInterval_ms = 1000
/** After this many readings without a change, a comment keeps the connection alive. */
const readingsPerHeartbeat = 15

export type PhaseStream = {
  id: string
  address: AddressKey
  /** Writes one event, or a comment that keeps the connection alive, and resolves once it is flushed. */
  write: (event: { event: 'phase'; data: HolderPhaseEvent } | 'still here') => Promise<void>
  /** Whether the client disconnected or the process is stopping. */
  ended: () => boolean
}

/**
 * Streams the phase of one verification: at once, then each change, until the verification ends or is erased. Streams of a process
 * read together once a second, so that their reads become a few statements.
 */
export function phaseStreamer(ctx: Context): (stream: PhaseStream) => Promise<void> {
  const byAddress = openSlots({ each: maxPhaseStreams.address, all: maxPhaseStreams.all })
  const byVerification = openSlots({ each: maxPhaseStreams.verification, all: maxPhaseStreams.all })
  let nextRead: Promise<void> | undefined
  const waitForRead = () => (nextRead ??= sleep(phaseInterval_ms).then(() => (nextRead = undefined)))

  return async ({ id, address, write, ended }) => {
    using slots = new DisposableStack()
    slots.defer(takeSlot(byAddress, address))
    slots.defer(takeSlot(byVerification, id))
    let sent = await readPhase(ctx, id)
    if (sent === 'gone') throw notFound('session_not_found')
    await write({ event: 'phase', data: { phase: sent } })
    for (let readings = 1; isOpen(sent) && !ended(); readings += 1) {
      await waitForRead()
      if (ended()) return
      const phase = await readPhaseIfAvailable(ctx, id)
      if (phase !== undefined && phase !== sent) {
        await write({ event: 'phase', data: { phase } })
        if (phase === 'gone') return
        sent = phase
      } else if (readings % readingsPerHeartbeat === 0) await write('still here')
    }
  }
}

function takeSlot(slots: Slots, owner: string): ReleaseSlot {
  const release = slots.take(owner)
  if (release === 'each')
    throw new Refusal('rate_limit_exceeded', 'Too many pages are open. Close some of them.', 10)
  if (release === 'all')
    throw new Refusal('overloaded', 'Too many pages are open. Try again in a moment.', 10)
  return release
}

async function readPhase(ctx: Context, id: string): Promise<HolderPhaseEvent['phase']> {
  const row = await findHolderPhase(ctx, id)
  return row === undefined ? 'gone' : toPhase(row)
}

/** Undefined while the database is unavailable: the stream stays open, and the next reading tries again. */
async function readPhaseIfAvailable(
  ctx: Context,
  id: string,
): Promise<HolderPhaseEvent['phase'] | undefined> {
  try {
    return await readPhase(ctx, id)
  } catch (error) {
    if (isTemporary(error)) return undefined
    throw error
  }
}
