import type { IncomingHttpHeaders } from 'node:http'

/** `complete` is false for a body that was cut: too long, too slow, or broken off. */
export type Answer = { status: number; headers: AnswerHeaders; body: Buffer; complete: boolean }

type AnswerHeaders = { content_type?: string; retry_after?: string }

type Collector = {
  begin(status: number, headers: IncomingHttpHeaders): void
  /** Takes a piece of the body. False when that is more than was asked for. */
  add(chunk: Buffer): boolean
  /** Undefined before the status is there. */
  soFar(): Omit<Answer, 'complete'> | undefined
}

/** Holds what has come of an answer, and no more of its body than `most` bytes. */
export function collectAnswer(most: number): Collector {
  let head: Pick<Answer, 'status' | 'headers'> | undefined
  let held = Buffer.alloc(0)
  let length = 0

  return {
    begin(status, headers) {
      // Early hints and the like (1xx) are not the answer.
      if (status >= 200) head = { status, headers: pickHeaders(headers) }
    },
    add(chunk) {
      const taken = chunk.subarray(0, most - length)
      held = withRoomFor(held, length + taken.length, most)
      held.set(taken, length)
      length += taken.length
      return taken.length === chunk.length
    },
    soFar() {
      return head === undefined ? undefined : { ...head, body: held.subarray(0, length) }
    },
  }
}

/** One growing piece of memory: an answer in chunks of one byte would otherwise cost a hundred times its size. */
function withRoomFor(held: Buffer<ArrayBuffer>, length: number, most: number): Buffer<ArrayBuffer> {
  if (length <= held.length) return held
  const larger = Buffer.alloc(Math.min(most, Math.max(length, 2 * held.length)))
  larger.set(held)
  return larger
}

/** What some caller needs. Bounded with all the others by the client's limit on headers. */
function pickHeaders(headers: IncomingHttpHeaders): AnswerHeaders {
  const { 'content-type': contentType, 'retry-after': retryAfter } = headers
  return {
    ...(typeof contentType === 'string' ? { content_type: contentType } : {}),
    ...(typeof retryAfter === 'string' ? { retry_after: retryAfter } : {}),
  }
}
