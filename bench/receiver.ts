import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the receiver reports: all messages and their arrival times, by the monotonic clock that all processes of a machine share. */
export type ReceiverReport = {
  count: number
  last: { headers: Record<string, string>; body: string }
  /** By verification: when its message arrived, in nanoseconds as text. */
  arrivals: Record<string, string>
}

/** A receiver in a separate process that responds 204 to everything; with the argument `silent`, it never responds. */
const silent = process.argv[2] === 'silent'
const report: ReceiverReport = { count: 0, last: { headers: {}, body: '' }, arrivals: {} }

const server = createServer((request, response) => {
  const arrived = process.hrtime.bigint()
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString()
    const id = /"id":"(vs_[\w-]+)"/.exec(body)?.[1] ?? ''
    report.count += 1
    report.arrivals[id] ??= String(arrived)
    report.last = { headers: copyServiceHeaders(request.headers), body }
    if (!silent) response.writeHead(204).end()
  })
})
server.listen(0, '127.0.0.1', () => {
  // A TCP server has a port.
  const { port } = server.address() as AddressInfo
  process.send?.({ port })
})
// The whole report is too large to be asked for while something is measured.
process.on('message', (what) => process.send?.(what === 'progress' ? report.count : report))
process.once('disconnect', () => process.exit())

function copyServiceHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const names = Object.keys(headers).filter((name) => /^(?:content-type|user-agent|x-service-.*)$/.test(name))
  return Object.fromEntries(names.map((name) => [name, String(headers[name])]))
}
