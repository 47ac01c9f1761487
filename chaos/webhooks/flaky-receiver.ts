import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message to the receiver: the secret of a path, a verification whose erasure has been acknowledged, or a request for the report. */
export type ReceiverMessage = { path: string; secret: string } | { erased: string } | 'report'

export type ReceiverReport = {
  /** By path and verification, separated by a space: how many messages were acknowledged with 2xx. */
  acknowledged: Record<string, number>
  requests: number
  /** Messages about verifications whose erasure had been acknowledged before. */
  after_erasure: number
  /** Messages with an invalid signature. */
  forged: number
}

/** A receiver in a separate process that fails three times in ten, in every way that a server can. */
const secrets = new Map<string, string>()
const failureRate = 0.3
const report: ReceiverReport = { acknowledged: {}, requests: 0, after_erasure: 0, forged: 0 }
const erased = new Set<string>()

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => receive(request, response, Buffer.concat(chunks)))
})
server.listen(0, '127.0.0.1', () => {
  // A TCP server has a port.
  const { port } = server.address() as AddressInfo
  process.send?.({ port })
})

process.on('message', (message: ReceiverMessage) => {
  if (message === 'report') process.send?.(report)
  else if ('secret' in message) secrets.set(message.path, message.secret)
  else void markErased(message.erased)
})
process.once('disconnect', () => process.exit())

/** Messages that arrived before the acknowledgement are read within a few turns of the event loop; later ones are violations. */
async function markErased(id: string): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate)
  erased.add(id)
}

function receive(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const id = /"id":"(vs_[\w-]+)"/.exec(body.toString())?.[1] ?? ''
  report.requests += 1
  if (erased.has(id)) report.after_erasure += 1
  if (!isSigned(request, body)) report.forged += 1
  if (Math.random() < failureRate) return fail(response)
  const event = `${request.url} ${id}`
  report.acknowledged[event] = (report.acknowledged[event] ?? 0) + 1
  response.writeHead(204).end()
}

function fail(response: ServerResponse): void {
  const failures = [
    () => response.writeHead(500).end('sorry'),
    () => response.writeHead(503, { 'retry-after': '1' }).end(),
    () => response.writeHead(302, { location: '/elsewhere' }).end(),
    () => response.writeHead(410).end(),
    () => response.socket?.destroy(),
    () => response.socket?.resetAndDestroy(),
    () => response.socket?.end('HTTP/1.1 2'),
  ]
  failures[Math.floor(Math.random() * failures.length)]?.()
}

function isSigned({ url = '', headers }: IncomingMessage, body: Buffer): boolean {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-service-signature'])) ?? []
  const secret = secrets.get(url)
  if (t === undefined || v1 === undefined || secret === undefined) return false
  const expected = createHmac('sha256', secret).update(`${t}.`).update(body).digest()
  return timingSafeEqual(expected, Buffer.from(v1, 'hex'))
}
