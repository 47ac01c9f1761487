import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { openSlots } from '../../slots.ts'
import { addressKey } from '../guard/client-address.ts'

export type ConnectionBounds = {
  /** Connections that are open at a time, for one address and in this process. */
  connections: { each: number; all: number }
  /** Requests on one connection that are not answered yet. */
  pipelined: number
  /** For so long after a connection was closed for the bound before, its address may not open another. */
  block_ms: number
  /** While an answer waits for its reader, this much must leave in each window, or the connection is closed. */
  reading: { min_bytes: number; window_ms: number }
}

export const connectionBounds: ConnectionBounds = {
  connections: { each: 512, all: 8192 },
  pipelined: 16,
  block_ms: 1000,
  reading: { min_bytes: 64 * 1024, window_ms: 30_000 },
}

export type BoundedServerOptions = {
  options: ServerOptions
  handle: RequestListener
  bounds: ConnectionBounds
  /** Whether an address may open any number of connections: a proxy does so for its many callers. */
  isExempt: (address: string) => boolean
  /** Told of every connection that was closed for what its caller did. */
  onClosed: (why: CloseReason) => void
}

/** Which bound a connection was closed for. */
type CloseReason = 'connections' | 'pipelined' | 'reading'

type Connection = { unanswered: number; window: { started_ms: number; sent_bytes: number } | undefined }

/**
 * An HTTP server that bounds what one connection and one address can cause. Node parses every request that has arrived, answered
 * or not, and keeps an answer for as long as its reader takes; so connections, unanswered requests and slow readers are bounded here.
 */
export function openBoundedServer(opened: BoundedServerOptions): Server {
  const { bounds, isExempt, onClosed } = opened
  const slots = openSlots(bounds.connections)
  const connections = new Map<Socket, Connection>()
  let exempt = 0

  // Parsing what a connection brought at once costs up to 20 ms before it can be closed. An address that opens the next one
  // at once would take the whole event loop that way.
  const blockedUntil_ms = new Map<string, number>()
  const close = (socket: Socket, why: CloseReason) => {
    connections.delete(socket)
    socket.destroy()
    onClosed(why)
  }
  const server = createServer(opened.options, (request, response) => {
    const connection = connections.get(request.socket)
    // Closed a moment ago: what else had arrived with the request that was too many is parsed all the same.
    if (connection === undefined) return
    connection.unanswered += 1
    if (connection.unanswered > bounds.pipelined) {
      const address = request.socket.remoteAddress ?? ''
      if (!isExempt(address)) blockedUntil_ms.set(addressKey(address), performance.now() + bounds.block_ms)
      return close(request.socket, 'pipelined')
    }
    response.once('close', () => void (connection.unanswered -= 1))
    opened.handle(request, response)
  })
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    if ((blockedUntil_ms.get(addressKey(address)) ?? 0) > performance.now()) return close(socket, 'pipelined')
    const free = slots.take(isExempt(address) ? `exempt ${(exempt += 1)}` : addressKey(address))
    if (typeof free === 'string') return close(socket, 'connections')
    connections.set(socket, { unanswered: 0, window: undefined })
    socket.once('close', () => {
      connections.delete(socket)
      free()
    })
  })
  const timer = setInterval(() => {
    const now_ms = performance.now()
    for (const [holder, until_ms] of blockedUntil_ms) if (until_ms < now_ms) blockedUntil_ms.delete(holder)
    for (const [socket, connection] of connections)
      if (isTooSlow(socket, connection, { ...bounds.reading, now_ms })) close(socket, 'reading')
  }, bounds.reading.window_ms / 10)
  timer.unref()
  server.once('close', () => clearInterval(timer))
  return server
}

/** Whether less than the least has left in a window in which there was something to send all the time. */
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
