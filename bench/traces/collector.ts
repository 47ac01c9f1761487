import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the stand-in for a collector has received. */
export type CollectorReport = { exports: number; spans: number; bytes: number }

/** Stands in for a collector, in a process of its own: it reads what is exported, counts it, and accepts it. */
const report: CollectorReport = { exports: 0, spans: 0, bytes: 0 }

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks)
    report.exports += 1
    report.bytes += body.length
    report.spans += body.toString('latin1').split('"spanId"').length - 1
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})
server.listen(0, '127.0.0.1', () => {
  // A TCP server has a port.
  const { port } = server.address() as AddressInfo
  process.send?.({ port })
})
process.on('message', () => process.send?.(report))
process.once('disconnect', () => process.exit())
