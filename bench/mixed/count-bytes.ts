import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'

export type ByteCounter = {
  /** The same URL, by way of the counter. */
  url: string
  /** Bytes that went to the server, and bytes that it sent. */
  read(): { sent: number; received: number }
} & AsyncDisposable

/** Forwards the connections to a server and counts what they carry, without the headers of TCP and IP. */
export async function countBytes(to: string): Promise<ByteCounter> {
  const target = new URL(to)
  const counted = { sent: 0, received: 0 }
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port), noDelay: true })
    client.on('data', (chunk: Buffer) => (counted.sent += chunk.length))
    upstream.on('data', (chunk: Buffer) => (counted.received += chunk.length))
    client.pipe(upstream).pipe(client)
    // A process that is killed at the end resets its connections.
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  const url = new URL(to)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    read: () => ({ ...counted }),
    async [Symbol.asyncDispose]() {
      server.close()
    },
  }
}
