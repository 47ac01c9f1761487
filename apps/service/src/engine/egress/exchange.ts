import type { IncomingHttpHeaders } from 'node:http'
import type { OutboundConnection } from './connection-pool.ts'

type OutboundHttpMessage = {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string | Buffer
}

type ExchangeLimits = {
  /** Aborts the exchange at any stage. */
  signal: AbortSignal
  /** The time for the whole message to be sent. Bytes that are unsent by then are never sent. */
  write_timeout_ms: number
  /** Maximum size of the response body. The connection is closed at this point. */
  max_response_bytes: number
}

type ExchangeResult =
  | ({ outcome: 'responded' } & OutboundResponse)
  | { outcome: 'timed_out' }
  /** `hasStarted`: whether a byte may have been sent. */
  | { outcome: 'broken'; error: Error; hasStarted: boolean }

export type Exchange = {
  /** Resolves, and never rejects, once the last byte was sent or no further byte will be. */
  written: Promise<void>
  result: Promise<ExchangeResult>
}

/** The peer sent more than any response within the limits needs. */
class ResponseTooLongError extends Error {
  readonly code = 'ANSWER_TOO_LONG'
}

/**
 * Sends one message over a connection and collects the response. Redirects are not followed and nothing is decompressed.
 * Once the status line has arrived, the outcome is a response, whatever happens to the body.
 */
export function exchange(
  connection: OutboundConnection,
  message: OutboundHttpMessage,
  limits: ExchangeLimits,
): Exchange {
  const { client, socket } = connection
  const written = Promise.withResolvers<void>()
  const result = Promise.withResolvers<ExchangeResult>()
  const response = collectResponse(limits.max_response_bytes)
  let hasStarted = false
  let isSent = false

  const onTimeout = () => abort({ outcome: 'timed_out' })
  const tooLong = () => abort({ outcome: 'broken', error: new ResponseTooLongError(), hasStarted })
  const writeTimer = setTimeout(onTimeout, limits.write_timeout_ms)
  limits.signal.addEventListener('abort', onTimeout)
  limitBytes(connection, limits.max_response_bytes, tooLong)

  function finish(outcome: ExchangeResult): void {
    clearTimeout(writeTimer)
    limits.signal.removeEventListener('abort', onTimeout)
    connection.onReadable = undefined
    result.resolve(outcome)
    written.resolve()
    // The response may arrive before the whole message is sent. The rest of the message is dropped with the connection.
    if (!isSent || outcome.outcome !== 'responded' || !outcome.complete) socket.destroy()
  }

  /** Ends the exchange early. If the status has arrived, the outcome is a response. */
  function abort(fallback: ExchangeResult): void {
    const soFar = response.soFar()
    finish(soFar === undefined ? fallback : { outcome: 'responded', ...soFar, complete: false })
  }

  function onSent(): void {
    isSent = true
    clearTimeout(writeTimer)
    written.resolve()
  }

  if (limits.signal.aborted) onTimeout()
  client.dispatch(message, {
    onRequestStart() {
      hasStarted = true
    },
    onRequestSent() {
      // Nothing is left in our buffers, encrypted or not: the kernel took the message at once.
      if (socket.writableLength === 0) onSent()
      // The callback of an empty write runs when everything written before it has been sent.
      else socket.write('', onSent)
    },
    onResponseStart: (_controller, status, headers) => response.begin(status, headers),
    onResponseData(_controller, chunk) {
      if (!response.add(chunk)) tooLong()
    },
    onResponseEnd() {
      const whole = response.soFar()
      if (whole !== undefined) finish({ outcome: 'responded', ...whole, complete: true })
    },
    onResponseError: (_controller, error) => abort({ outcome: 'broken', error, hasStarted }),
  })
  return { written: written.promise, result: result.promise }
}

/**
 * Informational responses, chunk extensions and trailers are not part of the body and can be endless, so the bytes on the
 * wire are limited too: twice the body, to allow for the framing of small chunks, plus space for headers.
 */
function limitBytes(connection: OutboundConnection, body: number, onTooMany: () => void): void {
  const { socket } = connection
  const max_bytes = socket.bytesRead + 2 * body + 64 * 1024
  connection.onReadable = () => {
    if (socket.bytesRead > max_bytes) onTooMany()
  }
}

/** `complete` is false if the body was cut off: too long, too slow, or the connection broke. */
export type OutboundResponse = {
  status: number
  headers: OutboundResponseHeaders
  body: Buffer
  complete: boolean
}

type OutboundResponseHeaders = { content_type?: string; retry_after?: string }

type ResponseCollector = {
  begin(status: number, headers: IncomingHttpHeaders): void
  /** Adds a chunk of the body. Returns false if it exceeds the limit. */
  add(chunk: Buffer): boolean
  /** Undefined before the status line has arrived. */
  soFar(): Omit<OutboundResponse, 'complete'> | undefined
}

/** Collects a response with at most `max_bytes` of its body. */
function collectResponse(max_bytes: number): ResponseCollector {
  let head: Pick<OutboundResponse, 'status' | 'headers'> | undefined
  let buffer = Buffer.alloc(0)
  let length = 0

  return {
    begin(status, headers) {
      // Informational responses (1xx) are not the final response.
      if (status >= 200) head = { status, headers: pickHeaders(headers) }
    },
    add(chunk) {
      const taken = chunk.subarray(0, max_bytes - length)
      buffer = growBuffer(buffer, length + taken.length, max_bytes)
      buffer.set(taken, length)
      length += taken.length
      return taken.length === chunk.length
    },
    soFar() {
      return head === undefined ? undefined : { ...head, body: buffer.subarray(0, length) }
    },
  }
}

/** One growing buffer: a response in chunks of one byte would otherwise need a hundred times its size. */
function growBuffer(buffer: Buffer<ArrayBuffer>, length: number, max_bytes: number): Buffer<ArrayBuffer> {
  if (length <= buffer.length) return buffer
  const larger = Buffer.alloc(Math.min(max_bytes, Math.max(length, 2 * buffer.length)))
  larger.set(buffer)
  return larger
}

/** Only the headers that callers need. The client limits the size of all headers together. */
function pickHeaders(headers: IncomingHttpHeaders): OutboundResponseHeaders {
  const { 'content-type': contentType, 'retry-after': retryAfter } = headers
  return {
    ...(typeof contentType === 'string' ? { content_type: contentType } : {}),
    ...(typeof retryAfter === 'string' ? { retry_after: retryAfter } : {}),
  }
}
