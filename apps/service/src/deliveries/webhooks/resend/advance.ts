import type { Database, Db } from '../../../engine/db/index.ts'
import {
  deleteOldResends,
  findFailedEvents,
  lockOpenResend,
  updateResend,
  type FailedEvent,
} from './store.ts'

/** How many events of one request are queued in a run, and how many requests are advanced. The worker runs once a second (HOOK-19). */
export const resendBounds = { eventsPerRun: 50, maxRequests: 20, keepFinished_days: 30 }

/** Queues an event again. False if it cannot be sent. */
type EnqueueAgain = (tx: Db, event: FailedEvent) => Promise<boolean>

/** Advances the open requests to resend what failed, each in a transaction of its own. Returns how many events were queued. */
export async function advanceResends(db: Database, enqueueAgain: EnqueueAgain): Promise<number> {
  const advanced: string[] = []
  let total = 0
  while (advanced.length < resendBounds.maxRequests) {
    const result = await db.transaction((tx) => advanceOne(tx, advanced, enqueueAgain))
    if (result === undefined) break
    advanced.push(result.id)
    total += result.queued
  }
  if (advanced.length > 0) await deleteOldResends(db, { older_than_days: resendBounds.keepFinished_days })
  return total
}

async function advanceOne(
  tx: Db,
  except: readonly string[],
  enqueueAgain: EnqueueAgain,
): Promise<{ id: string; queued: number } | undefined> {
  const resend = await lockOpenResend(tx, except)
  if (resend === undefined) return undefined
  const failed = await findFailedEvents(tx, resend, resendBounds.eventsPerRun)
  let queued = 0
  for (const event of failed) if (await enqueueAgain(tx, event)) queued += 1
  await updateResend(tx, {
    id: resend.id,
    reached_at: failed.at(-1)?.attempted_at ?? resend.requested_at,
    reached_id: failed.at(-1)?.key ?? '',
    queued,
    isFinished: failed.length < resendBounds.eventsPerRun,
  })
  return { id: resend.id, queued }
}
