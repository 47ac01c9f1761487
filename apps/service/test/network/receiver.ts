import { once } from 'node:events'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

type ReceivedRequest = { line: string; headers: Record<string, string>; body: string }

/** What a receiver does with a complete request. It may write anything to the socket, HTTP or not. */
export type ReceiverBehaviour = (socket: Socket, request: ReceivedRequest) => void

export type ReceiverOptions = { host?: string; tls?: { key: string; cert: string } }

/** A receiver on loopback at the level of sockets, so that it can misbehave in ways that an HTTP server cannot. */
export async function startReceiver(
  behave: ReceiverBehaviour,
  { host = '127.0.0.1', tls }: ReceiverOptions = {},
) {
  const received: ReceivedRequest[] = []
  const open = new Set<Socket>()
  let connections = 0
  let paused = false
  let maxOpen = 0
  const serve = (socket: Socket) => {
    connections += 1
    open.add(socket)
    maxOpen = Math.max(maxOpen, open.size)
    socket.once('close', () => open.delete(socket))
    socket.on('error', () => {})
    readRequests(socket, (request) => {
      received.push(request)
      behave(socket, request)
    })
    if (paused) socket.pause()
  }
  const server = tls === undefined ? createTcpServer(serve) : createTlsServer(tls, serve)
  server.on('tlsClientError', () => {})
  server.listen(0, host)
  await once(server, 'listening')
  // A TCP server has an address and a port, not a path.
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `${tls === undefined ? 'http' : 'https'}://${host}:${port}/hook`,
    received,
    get connections() {
      return connections
    },
    get open() {
      return open.size
    },
    get maxOpen() {
      return maxOpen
    },
    /** Closes all current connections. */
    closeConnections() {
      for (const socket of open) socket.destroy()
    },
    /** Stops reading from current and future connections. */
    pause() {
      paused = true
      for (const socket of open) socket.pause()
    },
    resume() {
      paused = false
      for (const socket of open) socket.resume()
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A well-formed response that allows the connection to be reused. */
export function reply(status: number, headers: Record<string, string> = {}, body = ''): ReceiverBehaviour {
  const fields = Object.entries({ 'content-length': String(Buffer.byteLength(body)), ...headers })
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return (socket) => void socket.write(`HTTP/1.1 ${status} whatever\r\n${head}\r\n${body}`)
}

/** Reads the request and never responds. */
export const neverRespond: ReceiverBehaviour = () => {}

function readRequests(socket: Socket, onRequest: (request: ReceivedRequest) => void): void {
  let waiting = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk])
    for (let next = parseRequest(waiting); next !== undefined; next = parseRequest(waiting)) {
      waiting = waiting.subarray(next.length)
      onRequest(next.request)
    }
  })
}

function parseRequest(bytes: Buffer): { request: ReceivedRequest; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [line = '', ...fields] = bytes.toString('latin1', 0, end).split('\r\n')
  const headers = Object.fromEntries(
    fields.map((field) => [
      field.slice(0, field.indexOf(':')).toLowerCase(),
      field.slice(field.indexOf(':') + 1).trim(),
    ]),
  )
  const length = end + 4 + Number(headers['content-length'] ?? 0)
  if (bytes.length < length) return undefined
  return { request: { line, headers, body: bytes.toString('utf8', end + 4, length) }, length }
}
