import type { Environment, FailedResend } from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../../audit/index.ts'
import { Refusal } from '../../../engine/basics/index.ts'
import type { Context } from '../../../engine/context.ts'
import type { Database, Db } from '../../../engine/db/index.ts'
import { verificationReceiver } from '../log/list-deliveries.ts'
import {
  type FailedEvent,
  type ResendRow,
  deleteOldResends,
  findFailedEvents,
  insertResend,
  lockOpenResend,
  readLatestResend,
  updateResend,
} from './store.ts'

type RequestResend = {
  by: NewAuditEntry['by']
  environment: Environment
  since: string
  endpoint_id?: string | undefined
}

/** Requests that every event whose last attempt failed since a time is sent again. Workers queue them, some per second. */
export async function requestResend(
  { db }: Pick<Context, 'db'>,
  { by, environment, since, endpoint_id }: RequestResend,
): Promise<FailedResend> {
  return db.transaction(async (tx) => {
    const receiver = endpoint_id === verificationReceiver ? '' : (endpoint_id ?? null)
    const row = await insertResend(tx, { tenant_id: by.tenant_id, environment, endpoint_id: receiver, since })
    if (row === undefined)
      throw new Refusal(
        'too_many',
        'An earlier request to resend is still being worked on. Wait until it is finished.',
      )
    await appendAudit(tx, { action: 'webhook.failed_resent', by, detail: { environment, since: row.since } })
    return viewResend(row)
  })
}

/** The latest request of a tenant in an environment, with its progress. */
export async function getLatestResend(
  { db }: Pick<Context, 'db'>,
  owner: { tenant_id: string; environment: Environment },
): Promise<FailedResend | undefined> {
  const row = await readLatestResend(db, owner)
  return row === undefined ? undefined : viewResend(row)
}

function viewResend({ since, endpoint_id, requested_at, queued, finished_at }: ResendRow): FailedResend {
  return {
    since,
    ...(endpoint_id !== null && { endpoint_id: endpoint_id === '' ? verificationReceiver : endpoint_id }),
    requested_at,
    queued,
    ...(finished_at !== null && { finished_at }),
  }
}

/** Queues an event again. False if it cannot be sent. */
type EnqueueAgain = (tx: Db, event: FailedEvent) => Promise<boolean>

/** How many events of one request are queued in a run, and how many requests are advanced. The worker runs once a second. */
export const resendBounds = { eventsPerRun: 50, maxRequests: 20, keepFinished_days: 30 }

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
