import { createHmac } from 'node:crypto'
import type {
  AlertPayload,
  ErasurePayload,
  TestPayload,
  UsageDayPayload,
  Verification,
  VerificationEventType,
  WebhookPayload,
} from '@vidimus/contract'
import { cellOfVerificationId } from '../../engine/basics/index.ts'
import type { Keyring } from '../../engine/keyring/index.ts'
import type { ClaimedEvent } from './event.ts'

/** What a message is composed from, read just before it is sent. */
export type MessageInput = {
  verification: Verification
  /** The active signing secrets, newest first. */
  secrets: readonly string[]
  sent_at: string
}

type Message = { headers: Record<string, string> & { 'x-service-signature': string }; body: string }

/** Renders and signs the message of one attempt. It is never stored (HOOK-13). */
export async function composeMessage(
  keyring: Keyring,
  event: Pick<ClaimedEvent, 'verification_id' | 'attempt'>,
  input: MessageInput,
): Promise<Message> {
  const { verification, secrets, sent_at } = input
  return signMessage(renderPayload(verification, sent_at), {
    event_id: await deriveEventId(keyring, event.verification_id),
    attempt: event.attempt,
    secrets,
  })
}

/** The payload that announces the outcome of a verification (HOOK-1). */
export function renderPayload(verification: Verification, sent_at: string): WebhookPayload {
  return { type: toEventType(verification.status), verification, sent_at }
}

/** The event type of a status. A verification that is still open has no event. */
export function toEventType(status: Verification['status']): VerificationEventType {
  if (status === 'pending') throw new Error('A verification that is still open has no event.')
  return `verification.${status}`
}

type SignMessage = { event_id: string; attempt: number; secrets: readonly string[] }

export function signMessage(
  payload: WebhookPayload | ErasurePayload | TestPayload | AlertPayload | UsageDayPayload,
  { event_id, attempt, secrets }: SignMessage,
): Message {
  const body = JSON.stringify(payload)
  const unix_seconds = Math.floor(Date.parse(payload.sent_at) / 1000)
  return {
    headers: {
      'content-type': 'application/json',
      'x-service-signature': signBody({ body, unix_seconds, secrets }),
      'x-service-event-id': event_id,
      'x-service-attempt': String(attempt),
    },
    body,
  }
}

/**
 * A verification has one event, so the event's id is a MAC of the verification's id: the same for every attempt, and, unlike the
 * verification's id, not a capability (HOOK-12). It stays the same when the tenant moves to another cell.
 */
export async function deriveEventId(keyring: Keyring, verification_id: string): Promise<string> {
  const hashing = await keyring.hashingOf(cellOfVerificationId(verification_id))
  return `evt_${hashing.mac('webhook event', verification_id).subarray(0, 16).toString('base64url')}`
}

type SignBody = {
  body: string
  /** The time of this attempt (HOOK-2). */
  unix_seconds: number
  /** The tenant's active secrets, newest first: one, or two for a day after a rotation (HOOK-3). */
  secrets: readonly string[]
}

/** Returns the value of `X-Service-Signature`: `t=…,v1=…`, with one `v1` per secret. The key is the whole `whsec_…` string. */
export function signBody({ body, unix_seconds, secrets }: SignBody): string {
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${unix_seconds}.${body}`).digest('hex')}`,
  )
  return [`t=${unix_seconds}`, ...signatures].join(',')
}
