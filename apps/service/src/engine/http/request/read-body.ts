import type { IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Refusal } from '../../basics/refusal.ts'
import { waitPaused } from '../../scheduling/work.ts'
import { openSlots, type ReleaseSlot } from '../../scheduling/slots.ts'
import {
  countFields,
  countValues,
  invalidRequest,
  maxJsonValues,
  parseForm,
  parseJson,
} from './parse-body.ts'
import type { AddressKey } from '../../limits/limiter.ts'

export const bodyTimeout_ms = 15_000
export const maxBodyBytes = { json: 256 * 1024, large_json: 2 * 1024 * 1024, form: 2 * 1024 * 1024 }
/** Bytes of bodies in memory until their request is answered, per address and in this process. */
export const maxBodyBytesInUse = { each: 16 * 1024 * 1024, all: 64 * 1024 * 1024 }
const bodyBytesInUse = openSlots(maxBodyBytesInUse)
const jsonKind = {
  media: 'application/json',
  pattern: /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i,
  parse: parseJson,
}
const bodyKinds = {
  json: {
    ...jsonKind,
    max_bytes: maxBodyBytes.json,
    count: (text: string) => countValues(text, maxJsonValues.json),
  },
  large_json: {
    ...jsonKind,
    max_bytes: maxBodyBytes.large_json,
    count: (text: string) => countValues(text, maxJsonValues.large_json),
  },
  form: {
    media: 'application/x-www-form-urlencoded',
    pattern: /^application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i,
    max_bytes: maxBodyBytes.form,
    count: countFields,
    parse: parseForm,
  },
}
/** A longer body is counted and parsed in turns of their own, so that nobody waits for both. */
const longBody_characters = 32 * 1024

/** The body did not arrive in time. The connection cannot be reused. */
export class BodyTimeoutError extends Refusal {
  override name = 'BodyTimeoutError'
}

/** The text of a body, and its parsed value before validation. */
export type ReceivedBody = { raw: string; sent: unknown }

export type ReadBodyOptions = {
  kind: keyof typeof bodyKinds
  contentType: string | undefined
  /** The address of the sender. */
  owner: AddressKey
  /** Called with a function that releases the reserved memory, to be called when the body is no longer needed. */
  onReserved: (free: ReleaseSlot) => void
}

/** Reads the body of a request. Everything that can be wrong with it is 400 `invalid_request` (GEN-5). */
export async function readBody(
  request: IncomingMessage,
  { kind, contentType, owner, onReserved }: ReadBodyOptions,
): Promise<ReceivedBody> {
  const { media, pattern, max_bytes, count, parse } = bodyKinds[kind]
  const { 'content-encoding': encoding = 'identity', 'content-length': length = '0' } = request.headers
  if (!pattern.test(contentType?.trim() ?? '')) throw invalidRequest(`The Content-Type must be ${media}.`)
  if (encoding !== 'identity') throw invalidRequest('The body must not be compressed.')
  if (Number(length) > max_bytes) throw tooLarge(max_bytes)
  const raw = await waitPaused(collect(request, { max_bytes, owner, onReserved }))
  const isLong = raw.length > longBody_characters
  if (isLong) await nextTurn()
  count(raw)
  if (isLong) await nextTurn()
  return { raw, sent: parse(raw) }
}

type CollectOptions = Pick<ReadBodyOptions, 'owner' | 'onReserved'> & { max_bytes: number }

function collect(
  request: IncomingMessage,
  { max_bytes, owner, onReserved }: CollectOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    // Decoded as it arrives: a whole body at once would take milliseconds.
    const utf8 = new TextDecoder('utf-8', { fatal: true })
    let text = ''
    let size = 0
    const timer = setTimeout(() => finish(tooSlow()), bodyTimeout_ms)
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > max_bytes) return finish(tooLarge(max_bytes))
      const release = bodyBytesInUse.take(owner, chunk.length)
      if (typeof release === 'string') return finish(tooManyBytesInUse(release))
      onReserved(release)
      decode(chunk)
    }
    const onEnd = () => {
      if (decode()) finish()
    }
    const onAborted = () => finish(invalidRequest('The request was aborted.'))
    request.on('data', onData).on('end', onEnd).on('error', onAborted).on('close', onAborted)

    /** Without a chunk: the end of the text. */
    function decode(chunk?: Buffer): boolean {
      try {
        text += utf8.decode(chunk, { stream: chunk !== undefined })
        return true
      } catch {
        // The decoder's only error is invalid UTF-8.
        finish(invalidRequest('The body is not UTF-8.'))
        return false
      }
    }

    function finish(refusal?: Refusal): void {
      clearTimeout(timer)
      request.off('data', onData).off('end', onEnd).off('error', onAborted).off('close', onAborted)
      // Without a listener, a late error of the connection would end the process.
      request.on('error', () => {})
      if (refusal === undefined) return resolve(text)
      // Discard the rest, so that a caller that is still writing gets to read the response.
      request.resume()
      reject(refusal)
    }
  })
}

function tooManyBytesInUse(bound: 'each' | 'all'): Refusal {
  return bound === 'each'
    ? new Refusal(
        'rate_limit_exceeded',
        'Too many large requests from this address. Try again in a moment.',
        1,
      )
    : new Refusal('overloaded', 'Too many large requests are in progress. Try again in a moment.', 1)
}

function tooLarge(max_bytes: number): Refusal {
  return invalidRequest(`The body is larger than ${max_bytes / 1024} KiB.`)
}

function tooSlow(): Refusal {
  return new BodyTimeoutError(
    'invalid_request',
    `The request did not arrive within ${bodyTimeout_ms / 1000} seconds.`,
  )
}
