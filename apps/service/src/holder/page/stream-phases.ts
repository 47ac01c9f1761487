import { setTimeout as sleep } from 'node:timers/promises'
import type { HolderCodeEvent, HolderPhaseEvent } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { isTemporary } from '../../engine/db/index.ts'
import { Refusal, notFound } from '../../engine/basics/index.ts'
import { type ReleaseSlot, type Slots, openSlots } from '../../engine/scheduling/index.ts'
import {
  type HolderPhaseRow,
  codeShown_seconds,
  findHolderPhase,
  findHolderVerification,
  maxWaitingPhases,
  movingCodeUri,
} from '../../verifications/index.ts'
import { isOpen, toPhase } from './get-verification.ts'
import type { AddressKey } from '../../engine/limits/index.ts'

/** Open streams. A page opens one; people behind one address may be a crowd. */
export const maxPhaseStreams = { address: 500, verification: 8, all: maxWaitingPhases }
export const phaseInterval_ms = 1000
/** After this many readings without a change, a comment keeps the connection alive. */
const readingsPerHeartbeat = 15

export type PhaseStream = {
  id: string
  /** Whether the QR code is streamed too, which is replaced from time to time. */
  withCode?: boolean
  address: AddressKey
  /** Writes one event, or a comment that keeps the connection alive, and resolves once it is flushed. */
  write: (event: StreamedEvent | 'still here') => Promise<void>
  /** Whether the client disconnected or the process is stopping. */
  ended: () => boolean
}

type StreamedEvent = { event: 'phase'; data: HolderPhaseEvent } | { event: 'code'; data: HolderCodeEvent }

/**
 * Streams the phase of one verification: at once, then each change, until the verification ends or is erased. Streams of a process
 * read together once a second, so that their reads become a few statements.
 */
export function phaseStreamer(ctx: Context): (stream: PhaseStream) => Promise<void> {
  const byAddress = openSlots({ each: maxPhaseStreams.address, all: maxPhaseStreams.all })
  const byVerification = openSlots({ each: maxPhaseStreams.verification, all: maxPhaseStreams.all })
  let nextRead: Promise<void> | undefined
  const waitForRead = () => (nextRead ??= sleep(phaseInterval_ms).then(() => (nextRead = undefined)))

  return async ({ id, withCode = false, address, write, ended }) => {
    using slots = new DisposableStack()
    slots.defer(takeSlot(byAddress, address))
    slots.defer(takeSlot(byVerification, id))
    let row = await findHolderPhase(ctx, id)
    if (row === undefined) throw notFound('session_not_found')
    const codes = withCode ? await openCodes(ctx, id) : undefined
    let sent = describePhase(row)
    await write({ event: 'phase', data: sent })
    for (let readings = 1; isOpen(toPhase(row)) && !ended(); readings += 1) {
      const code = codes?.next(row)
      if (code !== undefined) await write({ event: 'code', data: code })
      await waitForRead()
      if (ended()) return
      const found = await findPhaseIfAvailable(ctx, id)
      if (found === 'gone') {
        await write({ event: 'phase', data: { phase: 'gone' } })
        return
      }
      if (found === undefined) continue
      row = found
      const now = describePhase(row)
      if (now.phase !== sent.phase || now.attempts_left !== sent.attempts_left) {
        sent = now
        await write({ event: 'phase', data: sent })
      } else if (readings % readingsPerHeartbeat === 0) await write('still here')
    }
  }
}

function describePhase(row: HolderPhaseRow): HolderPhaseEvent {
  return {
    phase: toPhase(row),
    ...(row.attempts_left > 0 && { attempts_left: row.attempts_left }),
  }
}

/** What the QR code of a verification shows. `next` is undefined while the last code stays. */
async function openCodes(
  ctx: Context,
  id: string,
): Promise<{ next: (row: HolderPhaseRow) => HolderCodeEvent | undefined } | undefined> {
  const verification = await findHolderVerification(ctx, id)
  if (verification === undefined) return undefined
  let shown_at = 0
  return {
    next({ now_seconds }) {
      if (now_seconds < shown_at + codeShown_seconds) return undefined
      shown_at = now_seconds
      return { uri: movingCodeUri(ctx, verification, now_seconds) }
    },
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

/** Undefined while the database is unavailable: the stream stays open, and the next reading tries again. */
async function findPhaseIfAvailable(ctx: Context, id: string): Promise<HolderPhaseRow | 'gone' | undefined> {
  try {
    return (await findHolderPhase(ctx, id)) ?? 'gone'
  } catch (error) {
    if (isTemporary(error)) return undefined
    throw error
  }
}
