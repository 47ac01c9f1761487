import type { IncomingHttpHeaders } from 'node:http'

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
export function collectResponse(max_bytes: number): ResponseCollector {
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
