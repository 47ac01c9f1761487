import { WebhookError } from '../errors.ts'
import type { WebhookPayload, WebhookTestPayload } from '../types.ts'
import { isHexOf, macOf } from './hmac.ts'
import { readSignature, type Signature } from './read-signature.ts'

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
  const secrets = secretsOf(options.secret)
  const body = bytesOf(options.body)
  const header = headerOf(options.headers, 'x-service-signature')
  if (header === undefined) throw new WebhookError('missing_header', missingHeader)

  const signature = readSignature(header)
  const off = now - Number(signature.t)
  // Stated so that a tolerance or a clock that is no number accepts nothing.
  if (!(Math.abs(off) <= toleranceSeconds)) throw outsideTolerance(off, toleranceSeconds)
  if (!(await isSigned(secrets, signature, body))) throw await explainMismatch(secrets, signature, body)
  return eventOf(body)
}

const missingHeader =
  'There is no X-Service-Signature header. Either this message is not from the service, or a proxy or framework dropped the header.'

function outsideTolerance(off: number, tolerance: number): WebhookError {
  const when = off > 0 ? `${off} s ago` : `${-off} s in the future`
  const by = Math.abs(off) - tolerance
  return new WebhookError(
    'outside_tolerance',
    `The message was signed ${when}, which is outside the tolerance of ${tolerance} s by ${by} s. Is it an old one played again, or is this machine's clock wrong?`,
  )
}

/** Every secret against every candidate, without stopping at the first that fits. */
async function isSigned(
  secrets: readonly string[],
  { t, candidates }: Signature,
  body: Uint8Array,
): Promise<boolean> {
  let fits = false
  for (const secret of secrets) {
    const mac = await macOf(secret, t, body)
    for (const candidate of candidates) fits = isHexOf(mac, candidate) || fits
  }
  return fits
}

/** The service writes compact JSON. What is JSON but not compact was parsed and written again on its way here. */
async function explainMismatch(
  secrets: readonly string[],
  signature: Signature,
  body: Uint8Array,
): Promise<WebhookError> {
  const text = new TextDecoder().decode(body)
  const compact = compactOf(text)
  if (compact !== undefined && compact !== text) {
    const certain = await isSigned(secrets, signature, new TextEncoder().encode(compact))
    return new WebhookError(
      'reserialised_body',
      `The signature ${certain ? 'fits the compact form of this body' : 'does not fit, and this body is not as the service writes it'}: it looks re-serialised. Pass the raw bytes, read before any JSON middleware.`,
    )
  }
  return new WebhookError(
    'wrong_signature',
    'The signature fits none of the secrets. Is it the secret of this tenant, whole, with whsec_? If it was rotated over 24 hours ago, only the new one signs. Otherwise the body was altered, or parsed and written again.',
  )
}

function compactOf(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return undefined // no JSON at all
  }
}

function secretsOf(secret: string | readonly string[]): readonly string[] {
  const secrets = [secret].flat()
  // The usual case is a secret that is missing in the environment. Its value is never repeated.
  const usable = secrets.length > 0 && secrets.every((each) => /^whsec_[!-~]+$/.test(each))
  if (usable) return secrets
  throw new WebhookError(
    'unusable_secret',
    'The secret must be the whole text that begins with whsec_, without spaces or line breaks. Is it set where this runs?',
  )
}

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return body
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  throw new WebhookError(
    'parsed_body',
    `The body is ${body === undefined || body === null ? 'missing' : 'already parsed'}. The signature is over the raw bytes: pass the text or bytes as they arrived.`,
  )
}

function headerOf(headers: HeaderBag, name: string): string | undefined {
  const value = typeof headers['get'] === 'function' ? headers['get'](name) : plainHeader(headers, name)
  if (Array.isArray(value))
    throw new WebhookError('malformed_header', 'X-Service-Signature came more than once.')
  return typeof value === 'string' && value !== '' ? value : undefined
}

function plainHeader(headers: object, name: string): unknown {
  return Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
}

function eventOf(body: Uint8Array): WebhookEvent {
  const event = parse(body)
  if (event?.type === 'webhook.test') return event
  const told = event?.type === 'verification.completed' || event?.type === 'verification.failed'
  if (told && typeof event.verification === 'object') return event
  throw new WebhookError(
    'unreadable_event',
    'The signature is right, but this is no event that this version of the SDK knows. Is there a newer one?',
  )
}

/** Signed by the service, so it is what the service writes; a newer service may write more. */
function parse(body: Uint8Array): WebhookEvent | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent
  } catch {
    return undefined
  }
}
