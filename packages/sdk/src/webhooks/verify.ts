import { WebhookError } from '../errors.ts'
import type { KnownWebhookEvent } from '../types.ts'
import { matchesHex, computeMac } from './hmac.ts'
import { readSignature, type WebhookSignature } from './read-signature.ts'

/** Headers as frameworks provide them: `Headers`, or Node's object with lower-case names. */
export type HeaderBag = { get(name: string): string | null } | Record<string, string | string[] | undefined>

/** A signed event that this version of the SDK does not know, from a newer service. Acknowledge and ignore it. */
export type UnknownWebhookEvent = {
  /** The type as it was sent. Declared as a text that no event has, so that a comparison with a known type selects that event alone. */
  type: '(another type)'
  [member: string]: unknown
}

/** Distinguished by `type`. A `webhook.test` comes from the dashboard's test button: take no action. */
export type WebhookEvent = KnownWebhookEvent | UnknownWebhookEvent

export type VerifyWebhook = {
  /** The raw body, before any parsing. */
  body: string | Uint8Array | ArrayBuffer
  headers: HeaderBag
  /** `whsec_…`, or several during a rotation. Undefined, as of a variable that is not set, is refused. */
  secret: string | readonly string[] | undefined
  /** The allowed difference between the sender's clock and yours. Default: 300. */
  toleranceSeconds?: number
  /** Seconds since 1970. Default: the runtime's clock. */
  now?: number
}

/**
 * Checks that a webhook comes from the service, unaltered and recent, and returns its event. Otherwise throws a `WebhookError` with the
 * likely cause (HOOK-11). An event can be delivered more than once, with the same `X-Service-Event-Id`.
 */
export async function verifyWebhook(options: VerifyWebhook): Promise<WebhookEvent> {
  const { toleranceSeconds = 300, now = Math.floor(Date.now() / 1000) } = options
  const secrets = requireSecrets(options.secret)
  const body = toBytes(options.body)
  const header = findHeader(options.headers, 'x-service-signature')
  if (header === undefined) throw new WebhookError('missing_header', missingHeader)

  const signature = readSignature(header)
  const age_seconds = now - Number(signature.t)
  // Negated so that NaN, as tolerance or time, rejects everything.
  if (!(Math.abs(age_seconds) <= toleranceSeconds)) throw outsideTolerance(age_seconds, toleranceSeconds)
  if (!(await matchesAnySecret(secrets, signature, body)))
    throw await explainMismatch(secrets, signature, body)
  return parseEvent(body)
}

const missingHeader =
  'The X-Service-Signature header is missing. Either this request is not from the service, or a proxy or framework removed the header.'

function outsideTolerance(age_seconds: number, tolerance: number): WebhookError {
  const signedWhen = age_seconds > 0 ? `${age_seconds} s ago` : `${-age_seconds} s in the future`
  const excess_seconds = Math.abs(age_seconds) - tolerance
  return new WebhookError(
    'outside_tolerance',
    `The webhook was signed ${signedWhen}, which exceeds the tolerance of ${tolerance} s by ${excess_seconds} s. Either it is a replay, or this machine's clock is wrong.`,
  )
}

/** Compares every secret with every candidate, without stopping at the first match. */
async function matchesAnySecret(
  secrets: readonly string[],
  { t, candidates }: WebhookSignature,
  body: Uint8Array,
): Promise<boolean> {
  let matches = false
  for (const secret of secrets) {
    const mac = await computeMac(secret, t, body)
    for (const candidate of candidates) matches = matchesHex(mac, candidate) || matches
  }
  return matches
}

/** The service sends compact JSON. A body that is JSON but not compact was parsed and serialised again on the way. */
async function explainMismatch(
  secrets: readonly string[],
  signature: WebhookSignature,
  body: Uint8Array,
): Promise<WebhookError> {
  const text = new TextDecoder().decode(body)
  const compact = toCompactJson(text)
  if (compact !== undefined && compact !== text) {
    const isConfirmed = await matchesAnySecret(secrets, signature, new TextEncoder().encode(compact))
    return new WebhookError(
      'reserialised_body',
      `The signature ${isConfirmed ? 'matches the compact form of this body' : 'does not match, and this body is not compact JSON as the service sends it'}: it looks re-serialised. Pass the raw bytes, read before any JSON middleware.`,
    )
  }
  return new WebhookError(
    'wrong_signature',
    'The signature matches none of the secrets. Is it the complete secret of this tenant, including whsec_? More than 24 hours after a rotation, only the new secret works. Otherwise the body was altered, or parsed and serialised again.',
  )
}

function toCompactJson(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return undefined // not JSON
  }
}

function requireSecrets(secret: VerifyWebhook['secret']): readonly string[] {
  const secrets = [secret ?? []].flat()
  // Usually the environment variable is not set. The message never contains the secret.
  const areUsable = secrets.length > 0 && secrets.every((each) => /^whsec_[!-~]+$/.test(each))
  if (areUsable) return secrets
  throw new WebhookError(
    'unusable_secret',
    'The secret must be the complete text starting with whsec_, without spaces or line breaks. Is the environment variable set?',
  )
}

function toBytes(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return body
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  throw new WebhookError(
    'parsed_body',
    `The body is ${body === undefined || body === null ? 'missing' : 'already parsed'}. The signature covers the raw bytes: pass the body as it was received.`,
  )
}

function findHeader(headers: HeaderBag, name: string): string | undefined {
  const value = typeof headers['get'] === 'function' ? headers['get'](name) : findInRecord(headers, name)
  if (Array.isArray(value))
    throw new WebhookError('malformed_header', 'X-Service-Signature occurs more than once.')
  return typeof value === 'string' && value !== '' ? value : undefined
}

function findInRecord(headers: object, name: string): unknown {
  return Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
}

/** The service signed it, so an event of a known type has that type's members. A newer service may add members and events. */
function parseEvent(body: Uint8Array): WebhookEvent {
  const event = parseJson(body)
  if (typeof event === 'object' && event !== null && 'type' in event && typeof event.type === 'string')
    return event as WebhookEvent
  throw new WebhookError(
    'unreadable_event',
    'The signature is valid, but the body is not an event: it is not a JSON object with a type.',
  )
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}
