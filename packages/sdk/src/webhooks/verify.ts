import { WebhookError } from '../errors.ts'
import type { WebhookPayload, WebhookTestPayload } from '../types.ts'
import { matchesHex, computeMac } from './hmac.ts'
import { readSignature, type WebhookSignature } from './read-signature.ts'

/** A header bag as frameworks hand it over: `Headers`, or Node's object with lower-case names. */
export type HeaderBag = { get(name: string): string | null } | Record<string, string | string[] | undefined>

/** Told apart by `type`. A `webhook.test` is sent when somebody tries the address out on the dashboard: act on nothing. */
export type WebhookEvent = WebhookPayload | WebhookTestPayload

export type VerifyWebhook = {
  /** The body exactly as it arrived, before anything parsed it. */
  body: string | Uint8Array | ArrayBuffer
  headers: HeaderBag
  /** `whsec_…`; several while you change over to a new one. */
  secret: string | readonly string[]
  /** How far the sender's clock may be from yours. 300 unless given. */
  toleranceSeconds?: number
  /** Seconds since 1970, in place of the runtime's clock. */
  now?: number
}

/**
 * Checks that a message is the service's, unaltered and fresh, and returns its event; throws a `WebhookError` otherwise, with the
 * likely cause (HOOK-11). An event can come more than once: `X-Service-Event-Id` is the same each time.
 */
export async function verifyWebhook(options: VerifyWebhook): Promise<WebhookEvent> {
  const { toleranceSeconds = 300, now = Math.floor(Date.now() / 1000) } = options
  const secrets = requireSecrets(options.secret)
  const body = toBytes(options.body)
  const header = findHeader(options.headers, 'x-service-signature')
  if (header === undefined) throw new WebhookError('missing_header', missingHeader)

  const signature = readSignature(header)
  const age_seconds = now - Number(signature.t)
  // Stated so that a tolerance or a clock that is no number accepts nothing.
  if (!(Math.abs(age_seconds) <= toleranceSeconds)) throw outsideTolerance(age_seconds, toleranceSeconds)
  if (!(await matchesAnySecret(secrets, signature, body)))
    throw await explainMismatch(secrets, signature, body)
  return parseEvent(body)
}

const missingHeader =
  'There is no X-Service-Signature header. Either this message is not from the service, or a proxy or framework dropped the header.'

function outsideTolerance(age_seconds: number, tolerance: number): WebhookError {
  const signedWhen = age_seconds > 0 ? `${age_seconds} s ago` : `${-age_seconds} s in the future`
  const excess_seconds = Math.abs(age_seconds) - tolerance
  return new WebhookError(
    'outside_tolerance',
    `The message was signed ${signedWhen}, which is outside the tolerance of ${tolerance} s by ${excess_seconds} s. Is it an old one played again, or is this machine's clock wrong?`,
  )
}

/** Every secret against every candidate, without stopping at the first that fits. */
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

/** The service writes compact JSON. What is JSON but not compact was parsed and written again on its way here. */
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
      `The signature ${isConfirmed ? 'fits the compact form of this body' : 'does not fit, and this body is not as the service writes it'}: it looks re-serialised. Pass the raw bytes, read before any JSON middleware.`,
    )
  }
  return new WebhookError(
    'wrong_signature',
    'The signature fits none of the secrets. Is it the secret of this tenant, whole, with whsec_? If it was rotated over 24 hours ago, only the new one signs. Otherwise the body was altered, or parsed and written again.',
  )
}

function toCompactJson(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return undefined // no JSON at all
  }
}

function requireSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets = [secret].flat()
  // The usual case is a secret that is missing in the environment. Its value is never repeated.
  const areUsable = secrets.length > 0 && secrets.every((each) => /^whsec_[!-~]+$/.test(each))
  if (areUsable) return secrets
  throw new WebhookError(
    'unusable_secret',
    'The secret must be the whole text that begins with whsec_, without spaces or line breaks. Is it set where this runs?',
  )
}

function toBytes(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return body
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  throw new WebhookError(
    'parsed_body',
    `The body is ${body === undefined || body === null ? 'missing' : 'already parsed'}. The signature is over the raw bytes: pass the text or bytes as they arrived.`,
  )
}

function findHeader(headers: HeaderBag, name: string): string | undefined {
  const value = typeof headers['get'] === 'function' ? headers['get'](name) : findInRecord(headers, name)
  if (Array.isArray(value))
    throw new WebhookError('malformed_header', 'X-Service-Signature came more than once.')
  return typeof value === 'string' && value !== '' ? value : undefined
}

function findInRecord(headers: object, name: string): unknown {
  return Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
}

function parseEvent(body: Uint8Array): WebhookEvent {
  const event = parseJson(body)
  if (event?.type === 'webhook.test') return event
  const isVerificationEvent =
    event?.type === 'verification.completed' || event?.type === 'verification.failed'
  if (isVerificationEvent && typeof event.verification === 'object') return event
  throw new WebhookError(
    'unreadable_event',
    'The signature is right, but this is no event that this version of the SDK knows. Is there a newer one?',
  )
}

/** Signed by the service, so it is what the service writes; a newer service may write more. */
function parseJson(body: Uint8Array): WebhookEvent | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent
  } catch {
    return undefined
  }
}
