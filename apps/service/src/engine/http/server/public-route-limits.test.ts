import { connect } from 'node:net'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRawConnection } from '../../../../test/network/raw-connection.ts'
import { startService, type Service } from '../../../../test/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

test('the database is checked at most once a second, however many health checks arrive', async () => {
  const { db } = service.ctx
  const query = db.query.bind(db)
  let queries = 0
  db.query = (statement) => {
    queries += 1
    return query(statement)
  }
  const checks = 300
  for (let round = 0; round < checks / 10; round += 1)
    await Promise.all(Array.from({ length: 10 }, () => service.anonymous.get('/readyz')))

  // A few statements per check, and one check per second.
  expect(queries).toBeLessThan(checks / 5)
  expect(queries).toBeGreaterThan(0)
})

test('a connection with 20,000 pipelined health checks is closed, and other callers are served', async () => {
  const merchant = await service.tenant()
  using connection = openRawConnection(service.address)
  connection.write('GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(20_000))
  const creation = merchant.post('/v1/verifications', { template: 'age_over_18' })

  expect((await creation).status).toBe(201)
  await connection.closed
})

test('a static file is compressed once, has an ETag, and is not copied for clients that do not read', async () => {
  await using own = await startService()
  const address = `${own.address}/docs/scalar.js`
  const plain = await fetch(address, { headers: { 'accept-encoding': 'identity' } })
  const etag = plain.headers.get('etag') ?? ''
  const text = await plain.text()
  expect(plain.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
  expect(text.length).toBeGreaterThan(1_000_000)
  const again = await fetch(address, { headers: { 'if-none-match': etag } })
  expect([again.status, await again.text()]).toEqual([304, ''])
  const raw = await rawBody(address, 'br')
  expect(brotliDecompressSync(raw).toString() === text).toBe(true)
  expect(raw.length).toBeLessThan(text.length / 3)

  const { hostname, port } = new URL(own.address)
  const before = memoryInUse()
  const sockets = Array.from({ length: 60 }, () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.pause()
    socket.write('GET /docs/scalar.js HTTP/1.1\r\nhost: x\r\n\r\n')
    return socket
  })
  const { metrics } = own.ctx
  const responded = async () => (await metrics.activeRequests.get()).values[0]?.value ?? 0
  await expect.poll(responded).toBeGreaterThan(20)
  const grown = (memoryInUse() - before) / 2 ** 20
  for (const socket of sockets) socket.destroy()
  expect(grown).toBeLessThan(64)
})

/** Memory in use by this process, including memory outside the heap. */
function memoryInUse(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function rawBody(address: string, encoding: string): Promise<Buffer> {
  const { host, pathname, hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  socket.write(
    `GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\naccept-encoding: ${encoding}\r\nconnection: close\r\n\r\n`,
  )
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  const whole = Buffer.concat(chunks)
  return whole.subarray(whole.indexOf('\r\n\r\n') + 4)
}

test('documents, front ends and unknown paths are limited by address; health checks have their own limit', async () => {
  await using own = await startService({
    environment: { RATE_LIMITS: 'key=1000/60,ip=5/60,session=1000/60' },
  })
  const paths = [
    '/docs',
    '/openapi.json',
    '/docs/guides/quickstart',
    '/dashboard',
    '/nowhere',
    '/docs',
    '/nowhere',
    '/verify/languages/en.json',
    '/verify/assets/style.css',
    '/component/vidimus-verify-1.0.0.js',
    '/verify/unknown',
    '/healthz',
  ]
  const statuses: number[] = []
  for (const path of paths) statuses.push((await own.anonymous.get(path)).status)

  expect(statuses.slice(5)).toEqual([429, 429, 429, 429, 429, 429, 200])
  expect(statuses.slice(0, 5)).not.toContain(429)
})
