import { webhookUrlEvents, type Environment } from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { Refusal, dayOfSessionId, notFound } from '../../engine/basics/index.ts'
import { announceEvents, queueForEndpoint, queueForUrl, toEventType } from '../../deliveries/index.ts'
import { lockWebhookReceiver } from '../store.ts'

type ResendEvent = {
  tenant_id: string
  environment: Environment
  id: string
  /** The endpoint, or empty for the verification's own `webhook_url`. */
  endpoint_id: string
}

export type ResendWebhook = Omit<ResendEvent, 'tenant_id' | 'endpoint_id'> & {
  by: NewAuditEntry['by']
  endpoint_id?: string | undefined
}

/**
 * Sends the webhook again, at once: with the same event id, the next attempt number and the session's current state. An event
 * that waits for its next attempt becomes due; one that is being sent is left alone.
 */
export async function resendWebhook(
  { db }: Pick<Context, 'db'>,
  { by, environment, id, endpoint_id = '' }: ResendWebhook,
): Promise<void> {
  const { tenant_id } = by
  await db.transaction(async (tx) => {
    const refusal = await enqueueAgain(tx, { tenant_id, environment, id, endpoint_id })
    if (refusal !== undefined) throw refusal
    await appendAudit(tx, { action: 'webhook.resent', by, subject: id })
  })
  announceEvents(db)
}

/** Queues an event again, or returns why it cannot be sent. */
export async function enqueueAgain(
  tx: Db,
  { tenant_id, environment, id, endpoint_id }: ResendEvent,
): Promise<Refusal | undefined> {
  const day = dayOfSessionId(id)
  if (day === undefined) return notFound('session_not_found')
  const session = await lockWebhookReceiver(tx, { day, id, tenant_id, environment })
  if (session === undefined) return notFound('session_not_found')
  const { status, webhook_url: url, forget_on_delivery } = session
  if (endpoint_id === '' && url === null)
    return new Refusal('invalid_request', 'This verification has no webhook_url.')
  if (status === 'pending' || (endpoint_id === '' && !webhookUrlEvents.includes(toEventType(status))))
    return new Refusal('invalid_request', 'This verification has no result to send.')

  const outcome = {
    session_id: id,
    session_day: day,
    tenant_id,
    environment,
    forget_on_delivery,
    event_type: toEventType(status),
  }
  if (endpoint_id === '') {
    await queueForUrl(tx, outcome, url ?? '')
    return undefined
  }
  if (await queueForEndpoint(tx, outcome, endpoint_id)) return undefined
  return new Refusal('invalid_request', 'This endpoint is disabled or was deleted.')
}
