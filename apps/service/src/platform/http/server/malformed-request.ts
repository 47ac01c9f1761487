import type { Socket } from 'node:net'
import { errorEnvelope } from '../envelope.ts'

/**
 * Answers what the HTTP parser refused: smuggled lengths, bad chunks, oversized or slow headers. The connection is closed,
 * because nobody knows where the next request on it would begin.
 */
export function respondToMalformedRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  // Gone, or in the middle of an answer: one more would be read as part of it.
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

/** Node keeps the answer that is being written in a field of the socket, and offers no other way to ask. */
function isResponding(
  socket: Socket & { [Field in '_httpMessage']?: { headersSent?: boolean } | null },
): boolean {
  return socket['_httpMessage']?.headersSent === true
}
