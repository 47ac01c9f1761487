import type { TestPayload, Verification, WebhookPayload } from '@vidimus/contract'
import type { Keyring } from '../platform/keyring/open.ts'
import { signBody } from './sign.ts'
import type { ClaimedEvent } from './event.ts'

/** What an attempt needs of the moment in which it is made. */
export type MessageInput = {
  verification: Verification
  /** The secrets that sign now, the newest first. */
  secrets: readonly string[]
  sent_at: string
}

type Message = { headers: Record<string, string> & { 'x-service-signature': string }; body: string }

/** Writes what is sent to a receiver: rendered and signed for this one attempt, and kept nowhere (HOOK-13). */
export function composeMessage(
  keyring: Keyring,
  event: Pick<ClaimedEvent, 'session_id' | 'attempt'>,
  moment: MessageInput,
): Message {
  const { verification, secrets, sent_at } = moment
  return signMessage(renderPayload(verification, sent_at), {
    event_id: deriveEventId(keyring, event.session_id),
    attempt: event.attempt,
    secrets,
  })
}

/** A verification that has its result, as its receiver is told of it (HOOK-1). */
export function renderPayload(verification: Verification, sent_at: string): WebhookPayload {
  const type = verification.status === 'completed' ? 'verification.completed' : 'verification.failed'
  return { type, verification, sent_at }
}

type SignMessage = { event_id: string; attempt: number; secrets: readonly string[] }

export function signMessage(
  payload: WebhookPayload | TestPayload,
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

/** A session has one event, so its id is the session's under a key: the same on every attempt, and no capability (HOOK-12). */
export function deriveEventId(keyring: Keyring, session_id: string): string {
  return `evt_${keyring.mac('webhook event', session_id).subarray(0, 16).toString('base64url')}`
}
