import type { Socket } from 'node:net'
import { collectAnswer, type Answer } from './collect-answer.ts'
import type { Line } from './keep-lines.ts'

export type Message = {
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

type Ending =
  | ({ outcome: 'answered' } & Answer)
  | { outcome: 'timed_out' }
  /** `begun` tells whether a byte may have left. */
  | { outcome: 'broken'; error: Error; begun: boolean }

export type Exchange = {
  /** Settles, and never rejects, once the last byte went to the network, or no further one will. */
  written: Promise<void>
  ending: Promise<Ending>
}

/** More came than any answer within the limits could need. */
class AnswerTooLong extends Error {
  readonly code = 'ANSWER_TOO_LONG'
}

/**
 * Sends one message over a line and takes the answer. No redirect is followed and nothing is decompressed. Once the
 * status is there it is an answer, whatever becomes of its body.
 */
export function exchange({ client, socket }: Line, message: Message, limits: ExchangeLimits): Exchange {
  const written = Promise.withResolvers<void>()
  const ending = Promise.withResolvers<Ending>()
  const answer = collectAnswer(limits.max_response_bytes)
  let begun = false
  let gone = false

  const outOfTime = () => cut({ outcome: 'timed_out' })
  const tooLong = () => cut({ outcome: 'broken', error: new AnswerTooLong(), begun })
  const writeTimer = setTimeout(outOfTime, limits.write_timeout_ms)
  limits.signal.addEventListener('abort', outOfTime)
  const stopCounting = countBytes(socket, limits.max_response_bytes, tooLong)

  function settle(end: Ending): void {
    clearTimeout(writeTimer)
    limits.signal.removeEventListener('abort', outOfTime)
    stopCounting()
    ending.resolve(end)
    written.resolve()
    // An answer may come before its question has left. The rest of that is thrown away with the line.
    if (!gone || end.outcome !== 'answered' || !end.complete) socket.destroy()
  }

  /** Ends it before its end. A status that came is an answer all the same. */
  function cut(unlessAnswered: Ending): void {
    const soFar = answer.soFar()
    settle(soFar === undefined ? unlessAnswered : { outcome: 'answered', ...soFar, complete: false })
  }

  if (limits.signal.aborted) outOfTime()
  client.dispatch(message, {
    onRequestStart() {
      begun = true
    },
    onRequestSent() {
      // An empty write is called back when all that was written before it, encrypted or not, has gone.
      socket.write('', () => {
        gone = true
        clearTimeout(writeTimer)
        written.resolve()
      })
    },
    onResponseStart: (_controller, status, headers) => answer.begin(status, headers),
    onResponseData(_controller, chunk) {
      if (!answer.add(chunk)) tooLong()
    },
    onResponseEnd() {
      const whole = answer.soFar()
      if (whole !== undefined) settle({ outcome: 'answered', ...whole, complete: true })
    },
    onResponseError: (_controller, error) => cut({ outcome: 'broken', error, begun }),
  })
  return { written: written.promise, ending: ending.promise }
}

/**
 * Hints, chunk extensions and trailers are no part of a body and may come without end, so what the wire brings is bounded
 * too: the body twice, for the frames of small chunks, and room for headers.
 */
function countBytes(socket: Socket, body: number, onTooMany: () => void): () => void {
  const most = socket.bytesRead + 2 * body + 64 * 1024
  const count = () => {
    if (socket.bytesRead > most) onTooMany()
  }
  socket.on('readable', count)
  return () => socket.off('readable', count)
}
