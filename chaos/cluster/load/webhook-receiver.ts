import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A webhook that arrived: when, and when it was signed, which is when its verification was locked, in full seconds. */
type ReceivedWebhook = { id: string; arrived_at: number; signed_at: number }
export type ReceiverMessage = { port: number } | ReceivedWebhook

/**
 * Receives webhooks in a process of its own, which does nothing else: a load that is busy reads late what arrived early, and
 * an erasure may be acknowledged in between.
 */
const server = createServer((request, response) => {
  const arrived_at = Date.now()
  const signed_at = 1000 * Number(/t=(\d+)/.exec(String(request.headers['x-service-signature']))?.[1])
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const id = /"id":"(vs_[\w-]+)"/.exec(Buffer.concat(chunks).toString())?.[1] ?? ''
    send({ id, arrived_at, signed_at })
    response.writeHead(204).end()
  })
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo // a TCP server has a port
  send({ port })
})
process.once('disconnect', () => process.exit())

function send(message: ReceiverMessage): void {
  process.send?.(message)
}
