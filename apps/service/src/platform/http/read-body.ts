import type { IncomingMessage } from 'node:http'
import { Refusal } from '../refusal.ts'
import { openSlots, type FreeSlot } from '../slots.ts'
import { invalid, parseForm, parseJson } from './parse-body.ts'

export const arriveWithin_ms = 15_000
export const maxBodyBytes = { json: 256 * 1024, form: 2 * 1024 * 1024 }
/** Bytes of bodies that are being read or answered, for one address and in this process. */
export const maxBytesAtOnce = { each: 16 * 1024 * 1024, all: 64 * 1024 * 1024 }
const bytesAtOnce = openSlots(maxBytesAtOnce)
const kinds = {
  json: {
    media: 'application/json',
    pattern: /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i,
    most_bytes: maxBodyBytes.json,
    parse: parseJson,
  },
  form: {
    media: 'application/x-www-form-urlencoded',
    pattern: /^application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i,
    most_bytes: maxBodyBytes.form,
    parse: parseForm,
  },
}
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The body had not arrived in time; the connection is of no more use. */
export class SlowBody extends Refusal {
  override name = 'SlowBody'
}

/** A body as its text and as what that text says, before any schema. */
export type SentBody = { raw: string; sent: unknown }

export type ReadBody = {
  kind: keyof typeof kinds
  contentType: string | undefined
  /** The address that sends it. */
  holder: string
  /** Called with what frees the memory's share, once the body is of no more use. */
  onTaken: (free: FreeSlot) => void
}

/** Reads the body of a request. Everything that can be wrong with one is 400 `invalid_request` (GEN-5). */
export async function readBody(
  request: IncomingMessage,
  { kind, contentType, holder, onTaken }: ReadBody,
): Promise<SentBody> {
  const { media, pattern, most_bytes, parse } = kinds[kind]
  const { 'content-encoding': encoding = 'identity', 'content-length': length = '0' } = request.headers
  if (!pattern.test(contentType?.trim() ?? '')) throw invalid(`The Content-Type must be ${media}.`)
  if (encoding !== 'identity') throw invalid('The body must not be compressed.')
  if (Number(length) > most_bytes) throw tooLarge(most_bytes)
  const raw = decode(await collect(request, { most_bytes, holder, onTaken }))
  return { raw, sent: parse(raw) }
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    // The decoder's only complaint is a byte that is no UTF-8.
    throw invalid('The body is not UTF-8.')
  }
}

type Collect = Pick<ReadBody, 'holder' | 'onTaken'> & { most_bytes: number }

function collect(request: IncomingMessage, { most_bytes, holder, onTaken }: Collect): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const timer = setTimeout(() => stop(tooSlow()), arriveWithin_ms)
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > most_bytes) return stop(tooLarge(most_bytes))
      const taken = bytesAtOnce.take(holder, chunk.length)
      if (typeof taken === 'string') return stop(tooMuchAtOnce(taken))
      onTaken(taken)
      chunks.push(chunk)
    }
    const onEnd = () => stop()
    const onBroken = () => stop(invalid('The request broke off.'))
    request.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken)

    function stop(refusal?: Refusal): void {
      clearTimeout(timer)
      request.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken)
      // A late error on a connection that nobody waits for any more would otherwise end the process.
      request.on('error', () => {})
      if (refusal === undefined) return resolve(Buffer.concat(chunks, size))
      // What still comes is thrown away, so that the caller, who may yet be writing, gets to read the answer.
      request.resume()
      reject(refusal)
    }
  })
}

function tooMuchAtOnce(bound: 'each' | 'all'): Refusal {
  return bound === 'each'
    ? new Refusal(
        'rate_limit_exceeded',
        'Too many large requests from this address. Try again in a moment.',
        1,
      )
    : new Refusal('overloaded', 'Too many large requests are in progress. Try again in a moment.', 1)
}

function tooLarge(most_bytes: number): Refusal {
  return invalid(`The body is larger than ${most_bytes / 1024} KiB.`)
}

function tooSlow(): Refusal {
  return new SlowBody(
    'invalid_request',
    `The request did not arrive within ${arriveWithin_ms / 1000} seconds.`,
  )
}
