import type { IncomingHttpHeaders } from 'node:http'

/** `complete` is false for a body that was cut: too long, too slow, or broken off. */
export type OutboundResponse = {
  status: number
  headers: OutboundResponseHeaders
  body: Buffer
  complete: boolean
}

type OutboundResponseHeaders = { content_type?: string; retry_after?: string }

type ResponseCollector = {
  begin(status: number, headers: IncomingHttpHeaders): void
  /** Takes a piece of the body. False when that is more than was asked for. */
  add(chunk: Buffer): boolean
  /** Undefined before the status is there. */
  soFar(): Omit<OutboundResponse, 'complete'> | undefined
}

/** Holds what has come of an answer, and no more of its body than `most` bytes. */
export function collectResponse(max_bytes: number): ResponseCollector {
  let head: Pick<OutboundResponse, 'status' | 'headers'> | undefined
  let buffer = Buffer.alloc(0)
  let length = 0

  return {
    begin(status, headers) {
      // Early hints and the like (1xx) are not the answer.
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

/** One growing piece of memory: an answer in chunks of one byte would otherwise cost a hundred times its size. */
function growBuffer(buffer: Buffer<ArrayBuffer>, length: number, max_bytes: number): Buffer<ArrayBuffer> {
  if (length <= buffer.length) return buffer
  const larger = Buffer.alloc(Math.min(max_bytes, Math.max(length, 2 * buffer.length)))
  larger.set(buffer)
  return larger
}

/** What some caller needs. Bounded with all the others by the client's limit on headers. */
function pickHeaders(headers: IncomingHttpHeaders): OutboundResponseHeaders {
  const { 'content-type': contentType, 'retry-after': retryAfter } = headers
  return {
    ...(typeof contentType === 'string' ? { content_type: contentType } : {}),
    ...(typeof retryAfter === 'string' ? { retry_after: retryAfter } : {}),
  }
}
