import type { Socket } from 'node:net'
import { errorEnvelope } from '../envelope.ts'

/**
 * Responds to a request that the HTTP parser rejected: conflicting lengths, bad chunks, oversized or slow headers. The
 * connection is closed, because the start of the next request on it is unknown.
 */
export function respondToMalformedRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  // Closed, or in the middle of a response: the client would read this one as part of it.
  if (error.code === 'ECONNRESET' || !socket.writable || isResponding(socket)) {
    socket.destroy()
    return
  }
  const { status, headers, body } = errorEnvelope('invalid_request', messageFor(error.code))
  const head = Object.entries({
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  })
  socket.end(
    `HTTP/1.1 ${status} Bad Request\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  )
}

function messageFor(code = ''): string {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return 'The headers are larger than 16 KiB.'
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'The request did not arrive in time.'
    default:
      return 'The request is malformed.'
  }
}

/** Node keeps the response in progress in this field of the socket and offers no public way to read it. */
function isResponding(
  socket: Socket & { [Field in '_httpMessage']?: { headersSent?: boolean } | null },
): boolean {
  return socket['_httpMessage']?.headersSent === true
}
