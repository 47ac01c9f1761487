import {
  type CredentialResult,
  type Environment,
  type MaskedCredential,
  type WebhookPayload,
  webhookUrlEvents,
} from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import {
  advanceResends,
  announceEvents,
  queueForEndpoint,
  queueForUrl,
  renderPayload,
  toEventType,
} from '../../deliveries/index.ts'
import { Refusal, dayOfVerificationId, notFound } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { type Db, onOneDay } from '../../engine/db/index.ts'
import { lockWebhookReceiver, readVerifications } from '../store.ts'
import { viewVerification } from '../view-verification.ts'

type ShowWebhook = {
  tenant_id: string
  environment: Environment
  id: string
  /** The time of the attempt that the payload is shown for. */
  attempted_at: string
}

/**
 * The payload of a delivery attempt, for someone who reads the log. Payloads are not stored (HOOK-13), so it is rendered
 * again and lacks whatever has been deleted since.
 */
export async function showWebhook(
  ctx: Context,
  { tenant_id, environment, id, attempted_at }: ShowWebhook,
): Promise<WebhookPayload> {
  const day = dayOfVerificationId(id)
  const [row] =
    day === undefined
      ? []
      : await readVerifications(ctx.db, [{ day, id, tenant_id, environment, device_id: null }], onOneDay(day))
  if (row === undefined) throw notFound('session_not_found')
  const verification = viewVerification(ctx, row)
  if (verification.status === 'pending')
    throw new Refusal('invalid_request', 'This verification has no result to send.')
  return renderPayload(verification, attempted_at)
}

/** Shown in place of a claim that was not revealed. */
const mask = '•••'

/** A webhook's payload as it would be sent now, with its claims masked. Undefined if the verification is erased or has no result. */
export async function showMaskedWebhook(
  ctx: Context,
  request: ShowWebhook,
): Promise<Record<string, unknown> | undefined> {
  try {
    const { verification, ...payload } = await showWebhook(ctx, request)
    const { claims, credentials, ...rest } = verification
    return {
      ...payload,
      verification: {
        ...rest,
        ...(claims !== undefined && { claims: maskClaims(claims) }),
        ...(credentials !== undefined && {
          credentials: credentials.map((each) => ({ ...each, claims: maskClaims(each.claims) })),
        }),
      },
    }
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** Keeps the names: they are what was requested. */
function maskClaims(claims: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.keys(claims).map((name) => [name, mask]))
}

export function maskCredential({ claims, ...rest }: CredentialResult): MaskedCredential {
  return { ...rest, claim_names: claimNames(rest.format, claims) }
}

/** An mdoc's claims are grouped by namespace. */
function claimNames(format: CredentialResult['format'], claims: Record<string, unknown>): string[] {
  if (format === 'dc+sd-jwt') return Object.keys(claims)
  return Object.values(claims).flatMap((elements) => Object.keys(elements as object)) // a namespace is a map
}

type ResendEvent = {
  tenant_id: string
  environment: Environment
  id: string
  /** The endpoint, or empty for the verification's own `webhook_url`. */
  endpoint_id: string
}

type ResendWebhook = Omit<ResendEvent, 'tenant_id' | 'endpoint_id'> & {
  by: NewAuditEntry['by']
  endpoint_id?: string | undefined
}

/**
 * Sends the webhook again, at once: with the same event id, the next attempt number and the verification's current state. An event
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
async function enqueueAgain(
  tx: Db,
  { tenant_id, environment, id, endpoint_id }: ResendEvent,
): Promise<Refusal | undefined> {
  const day = dayOfVerificationId(id)
  if (day === undefined) return notFound('session_not_found')
  const verification = await lockWebhookReceiver(tx, { day, id, tenant_id, environment })
  if (verification === undefined) return notFound('session_not_found')
  const { status, webhook_url: url, forget_on_delivery } = verification
  if (endpoint_id === '' && url === null)
    return new Refusal('invalid_request', 'This verification has no webhook_url.')
  if (status === 'pending' || (endpoint_id === '' && !webhookUrlEvents.includes(toEventType(status))))
    return new Refusal('invalid_request', 'This verification has no result to send.')

  const outcome = {
    verification_id: id,
    verification_day: day,
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

/** Continues every open request to resend failed events, some events each. Events that were erased or cannot be sent are skipped. */
export async function resendFailedEvents({ db }: Pick<Context, 'db'>): Promise<boolean> {
  const queued = await advanceResends(db, async (tx, event) => (await enqueueAgain(tx, event)) === undefined)
  if (queued > 0) announceEvents(db)
  return queued > 0
}
