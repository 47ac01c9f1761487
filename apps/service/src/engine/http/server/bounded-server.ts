import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { openSlots } from '../../scheduling/slots.ts'
import { addressKey } from '../guard/client-address.ts'

export type ConnectionBounds = {
  /** Open connections per address and in this process. */
  connections: { each: number; all: number }
  /** Unanswered requests on one connection. */
  pipelined: number
  /** After a connection exceeded the previous limit, all of its address are closed, and it may open none for this long. */
  block_ms: number
  /** While a response is waiting to be read, at least this much must be sent in each window, or the connection is closed. */
  reading: { min_bytes: number; window_ms: number }
}

export const connectionBounds: ConnectionBounds = {
  connections: { each: 512, all: 12_288 },
  pipelined: 16,
  block_ms: 10_000,
  reading: { min_bytes: 64 * 1024, window_ms: 30_000 },
}

export type BoundedServerOptions = {
  options: ServerOptions
  handle: RequestListener
  bounds: ConnectionBounds
  /** Whether an address may open any number of connections: a proxy opens them for many callers. */
  isExempt: (address: string) => boolean
  /** Called for every connection that was closed because it exceeded a limit. */
  onClosed: (why: CloseReason) => void
}

/** The limit that a connection exceeded. */
type CloseReason = 'connections' | 'pipelined' | 'reading'

type Connection = {
  address_key: string
  pending: number
  window: { started_ms: number; sent_bytes: number } | undefined
}

/**
 * An HTTP server that limits what one connection and one address can cost. Node parses every request that has arrived, whether or
 * not earlier ones were answered, and keeps a response until its reader has taken it. So connections, unanswered requests and slow
 * readers are limited here.
 */
export function openBoundedServer(settings: BoundedServerOptions): Server {
  const { bounds, isExempt, onClosed } = settings
  const slots = openSlots(bounds.connections)
  const connections = new Map<Socket, Connection>()
  let exempt = 0

  // Parsing the first bytes of a connection takes up to 20 ms before it can be closed. An address that has hundreds of
  // connections, or reconnects at once, could occupy the whole event loop that way.
  const blockedUntil_ms = new Map<string, number>()
  const close = (socket: Socket, why: CloseReason) => {
    connections.delete(socket)
    socket.destroy()
    onClosed(why)
  }
  const server = createServer(settings.options, (request, response) => {
    const connection = connections.get(request.socket)
    // Just closed: Node still parses the other requests that arrived with the one that exceeded the limit.
    if (connection === undefined) return
    connection.pending += 1
    if (connection.pending > bounds.pipelined) {
      if (isExempt(request.socket.remoteAddress ?? '')) return close(request.socket, 'pipelined')
      blockedUntil_ms.set(connection.address_key, performance.now() + bounds.block_ms)
      for (const [socket, { address_key }] of connections)
        if (address_key === connection.address_key) close(socket, 'pipelined')
      return
    }
    // A response closes only once, and `on` is cheaper than `once`.
    response.on('close', () => void (connection.pending -= 1))
    settings.handle(request, response)
  })
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const address_key = addressKey(address)
    if ((blockedUntil_ms.get(address_key) ?? 0) > performance.now()) return close(socket, 'pipelined')
    const release = slots.take(isExempt(address) ? `exempt ${(exempt += 1)}` : address_key)
    if (typeof release === 'string') return close(socket, 'connections')
    connections.set(socket, { address_key, pending: 0, window: undefined })
    socket.once('close', () => {
      connections.delete(socket)
      release()
    })
  })
  const timer = setInterval(() => {
    const now_ms = performance.now()
    for (const [address, until_ms] of blockedUntil_ms) if (until_ms < now_ms) blockedUntil_ms.delete(address)
    for (const [socket, connection] of connections)
      if (isTooSlow(socket, connection, { ...bounds.reading, now_ms })) close(socket, 'reading')
  }, bounds.reading.window_ms / 10)
  timer.unref()
  server.once('close', () => clearInterval(timer))
  return server
}

/** Whether less than `min_bytes` was sent in a window in which something was always waiting to be sent. */
function isTooSlow(
  socket: Socket,
  connection: Connection,
  { min_bytes, window_ms, now_ms }: ConnectionBounds['reading'] & { now_ms: number },
): boolean {
  const waiting_bytes = socket.writableLength
  const sent_bytes = socket.bytesWritten - waiting_bytes
  const { window } = connection
  if (waiting_bytes === 0) connection.window = undefined
  else if (window === undefined || sent_bytes - window.sent_bytes >= min_bytes)
    connection.window = { started_ms: now_ms, sent_bytes }
  else return now_ms - window.started_ms >= window_ms
  return false
}
