import type { Socket } from 'node:net'
import { collectResponse, type OutboundResponse } from './collect-response.ts'
import type { OutboundConnection } from './connection-pool.ts'

export type OutboundHttpMessage = {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string | Buffer
}

export type ExchangeLimits = {
  /** Ends the exchange, wherever it is. */
  signal: AbortSignal
  /** For the whole message to leave. What has not left by then never does. */
  write_timeout_ms: number
  /** Of the answer's body. The line is cut there. */
  max_response_bytes: number
}

type ExchangeResult =
  | ({ outcome: 'answered' } & OutboundResponse)
  | { outcome: 'timed_out' }
  /** `begun` tells whether a byte may have left. */
  | { outcome: 'broken'; error: Error; hasStarted: boolean }

export type Exchange = {
  /** Settles, and never rejects, once the last byte went to the network, or no further one will. */
  written: Promise<void>
  result: Promise<ExchangeResult>
}

/** More came than any answer within the limits could need. */
class ResponseTooLongError extends Error {
  readonly code = 'ANSWER_TOO_LONG'
}

/**
 * Sends one message over a line and takes the answer. No redirect is followed and nothing is decompressed. Once the
 * status is there it is an answer, whatever becomes of its body.
 */
export function exchange(
  { client, socket }: OutboundConnection,
  message: OutboundHttpMessage,
  limits: ExchangeLimits,
): Exchange {
  const written = Promise.withResolvers<void>()
  const result = Promise.withResolvers<ExchangeResult>()
  const response = collectResponse(limits.max_response_bytes)
  let hasStarted = false
  let isSent = false

  const onTimeout = () => abort({ outcome: 'timed_out' })
  const tooLong = () => abort({ outcome: 'broken', error: new ResponseTooLongError(), hasStarted })
  const writeTimer = setTimeout(onTimeout, limits.write_timeout_ms)
  limits.signal.addEventListener('abort', onTimeout)
  const stopLimiting = limitBytes(socket, limits.max_response_bytes, tooLong)

  function finish(outcome: ExchangeResult): void {
    clearTimeout(writeTimer)
    limits.signal.removeEventListener('abort', onTimeout)
    stopLimiting()
    result.resolve(outcome)
    written.resolve()
    // An answer may come before its question has left. The rest of that is thrown away with the line.
    if (!isSent || outcome.outcome !== 'answered' || !outcome.complete) socket.destroy()
  }

  /** Ends it before its end. A status that came is an answer all the same. */
  function abort(fallback: ExchangeResult): void {
    const soFar = response.soFar()
    finish(soFar === undefined ? fallback : { outcome: 'answered', ...soFar, complete: false })
  }

  if (limits.signal.aborted) onTimeout()
  client.dispatch(message, {
    onRequestStart() {
      hasStarted = true
    },
    onRequestSent() {
      // An empty write is called back when all that was written before it, encrypted or not, has gone.
      socket.write('', () => {
        isSent = true
        clearTimeout(writeTimer)
        written.resolve()
      })
    },
    onResponseStart: (_controller, status, headers) => response.begin(status, headers),
    onResponseData(_controller, chunk) {
      if (!response.add(chunk)) tooLong()
    },
    onResponseEnd() {
      const whole = response.soFar()
      if (whole !== undefined) finish({ outcome: 'answered', ...whole, complete: true })
    },
    onResponseError: (_controller, error) => abort({ outcome: 'broken', error, hasStarted }),
  })
  return { written: written.promise, result: result.promise }
}

/**
 * Hints, chunk extensions and trailers are no part of a body and may come without end, so what the wire brings is bounded
 * too: the body twice, for the frames of small chunks, and room for headers.
 */
function limitBytes(socket: Socket, body: number, onTooMany: () => void): () => void {
  const max_bytes = socket.bytesRead + 2 * body + 64 * 1024
  const check = () => {
    if (socket.bytesRead > max_bytes) onTooMany()
  }
  socket.on('readable', check)
  return () => socket.off('readable', check)
}
