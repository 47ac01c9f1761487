import type { DeliveryDetail, Environment, Role } from '@vidimus/contract'
import { notFound } from '../../../engine/basics/index.ts'
import type { Context } from '../../../engine/context.ts'
import { deriveEventId } from '../compose.ts'
import { findQueuedEvent, findResponse, readDeliveries } from './log-store.ts'
import { maskUrl } from './mask-url.ts'
import { toFinalState, viewDelivery } from './view-delivery.ts'

type DescribeEvent = {
  tenant_id: string
  environment: Environment
  verification_id: string
  /** Empty for the verification's own URL. */
  endpoint_id: string
  attempt: number
  /** The role of the member who reads it. */
  role: Role
}

/** An attempt, the other attempts of its event, and the event's state. The payload is not stored; `showWebhook` renders it again. */
export async function describeEvent(
  { db, keyring }: Pick<Context, 'db' | 'keyring'>,
  { attempt, role, ...event }: DescribeEvent,
): Promise<Omit<DeliveryDetail, 'payload'>> {
  const attempts = (await readDeliveries(db, { ...event, limit: 100 })).map((each) =>
    viewDelivery(each, role),
  )
  const delivery = attempts.find((each) => each.attempt === attempt)
  if (delivery === undefined) throw notFound('delivery_not_found')
  const queued = await findQueuedEvent(db, event)
  const response = await readResponse({ db }, { ...event, attempt })
  const state = queued === undefined ? toFinalState(attempts[0]?.outcome) : 'waiting'
  const url = queued === undefined ? delivery.url : maskUrl(queued.url, role)
  return {
    delivery,
    attempts: attempts.toReversed(),
    event_id: await deriveEventId(keyring, event.verification_id),
    ...(url !== undefined && { url }),
    has_response: response !== undefined,
    ...(queued !== undefined && { next_attempt_at: queued.due_at }),
    state: queued?.sending === true ? 'sending' : state,
  }
}

/** The beginning of a receiver's response. It may repeat claims, so the caller records who reads it. */
export function readResponse(
  { db }: Pick<Context, 'db'>,
  attempt: Pick<DescribeEvent, 'tenant_id' | 'verification_id' | 'endpoint_id' | 'attempt'>,
): Promise<string | undefined> {
  return findResponse(db, attempt)
}

/** How much of a response is kept (HOOK-7). */
export const maxExcerpt_bytes = 2048

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The beginning of a response without control characters, or undefined if it is empty or not text. */
export function excerptText(body: Uint8Array): string | undefined {
  const decoded = decode(body.subarray(0, maxExcerpt_bytes), body.length > maxExcerpt_bytes)
  // Tabs and line ends stay. Bidirectional controls could make the text read differently from what it says.
  const text = decoded
    ?.replaceAll(/(?![\t\n\r])[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '')
    .trim()
  return text === '' ? undefined : text
}

/** Undefined if it is not UTF-8. A character that was cut off at the end is dropped. */
function decode(bytes: Uint8Array, wasCut: boolean): string | undefined {
  for (const dropped of wasCut ? [0, 1, 2, 3] : [0]) {
    try {
      return utf8.decode(bytes.subarray(0, bytes.length - dropped))
    } catch {
      // Not UTF-8, or the last character was cut off: try with fewer bytes.
    }
  }
  return undefined
}
