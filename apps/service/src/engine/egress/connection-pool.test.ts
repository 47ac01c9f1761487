import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as pass } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { makeCertificate, trustCertificate } from '../../../test/network/certificate.ts'
import { openEgressFixture } from '../../../test/network/egress-fixture.ts'
import { reply, neverRespond, startReceiver } from '../../../test/network/receiver.ts'
import { waitUntil } from '../../../test/wait-until.ts'
import { maxConnectionsPerHost } from './connection-pool.ts'

const egress = await openEgressFixture({}, '127.0.0.1/32')
afterAll(() => egress[Symbol.asyncDispose]())

const certificate = await makeCertificate('127.0.0.1')
const trust = trustCertificate(certificate.cert)
afterAll(() => trust[Symbol.dispose]())

test.each(['http', 'https'])(
  'a connection over %s is reused for the next message and closed after a second of idling',
  async (scheme) => {
    await using receiver = await startReceiver(reply(200), scheme === 'https' ? { tls: certificate } : {})
    for (let round = 0; round < 5; round += 1) await egress.post(receiver.url)
    expect(receiver.connections).toBe(1)

    await waitUntil(() => receiver.open === 0)
    await egress.post(receiver.url)
    expect(receiver.connections).toBe(2)
  },
)

test('if the receiver closed an idle connection, the message is sent once over a new one', async () => {
  await using receiver = await startReceiver(reply(200))
  await egress.post(receiver.url, { compose: (write) => write({ body: 'first' }) })
  for (let round = 0; round < 50; round += 1) {
    let composed = 0
    const outcome = await egress.post(receiver.url, {
      async compose(write) {
        composed += 1
        // After the connection was chosen and before anything is written.
        if (composed === 1) receiver.closeConnections()
        await pass(2)
        await write({ body: String(round) })
      },
    })
    expect(outcome).toMatchObject({ outcome: 'responded' })
    expect(composed).toBe(2)
  }
  expect(receiver.received.map(({ body }) => body)).toEqual([
    'first',
    ...Array.from(Array(50).keys(), String),
  ])
})

test('connections per host are limited, and further requests wait for a slot', async () => {
  await using receiver = await startReceiver(
    (socket) => void setTimeout(() => reply(200)(socket, { line: '', headers: {}, body: '' }), 20),
  )
  const outcomes = await Promise.all(
    Array.from({ length: 5 * maxConnectionsPerHost }, () => egress.post(receiver.url)),
  )

  expect(outcomes.every(({ outcome }) => outcome === 'responded')).toBe(true)
  expect(receiver.maxOpen).toBe(maxConnectionsPerHost)
})

test('waiting for a slot counts towards the time limit, and a slot whose request timed out is not lost', async () => {
  const sockets: Socket[] = []
  let responds = false
  await using receiver = await startReceiver((socket, request) => {
    if (!responds) return
    sockets.push(socket)
    // Only once every slot is taken again.
    if (sockets.length === maxConnectionsPerHost) for (const each of sockets) reply(200)(each, request)
  })
  let ended = 0
  const active = Array.from({ length: maxConnectionsPerHost }, async () => {
    const { outcome } = await egress.post(receiver.url, { timeout_ms: 2000 })
    ended += 1
    return outcome
  })
  const waiting = await egress.post(receiver.url, { timeout_ms: 200 })

  expect([waiting.outcome, ended]).toEqual(['timed_out', 0])
  expect(new Set(await Promise.all(active))).toEqual(new Set(['timed_out']))
  const before = receiver.received.length
  expect(before).toBeLessThanOrEqual(maxConnectionsPerHost)
  responds = true
  const after = await Promise.all(
    Array.from({ length: maxConnectionsPerHost }, () => egress.post(receiver.url, { timeout_ms: 30_000 })),
  )
  expect(after.every(({ outcome }) => outcome === 'responded')).toBe(true)
  expect(receiver.received).toHaveLength(before + maxConnectionsPerHost)
})

test.each(['http', 'https'])(
  'over %s, write resolves when the message was sent, before the response',
  async (scheme) => {
    const response = Promise.withResolvers<void>()
    await using receiver = await startReceiver(
      (socket, request) => void response.promise.then(() => reply(200)(socket, request)),
      scheme === 'https' ? { tls: certificate } : {},
    )
    const written = Promise.withResolvers<void>()
    const outcome = egress.post(receiver.url, {
      compose: (write) => write({ body: 'x'.repeat(100_000) }).then(written.resolve),
    })
    await written.promise
    response.resolve()

    expect(await outcome).toMatchObject({ outcome: 'responded' })
    expect(receiver.received[0]?.body).toHaveLength(100_000)
  },
)

test.each(['http', 'https'])(
  'over %s, bytes that are unsent when the write time-out expires are never sent',
  async (scheme) => {
    await using receiver = await startReceiver(neverRespond, scheme === 'https' ? { tls: certificate } : {})
    // More than two socket buffers hold, to a receiver that reads nothing until the time is over.
    const body = Buffer.alloc(40_000_000)
    const outcome = await egress.post(receiver.url, {
      timeout_ms: 60_000,
      write_timeout_ms: 300,
      async compose(write) {
        receiver.pause()
        await write({ body })
        receiver.resume()
      },
    })
    await pass(200)

    expect(outcome).toMatchObject({ outcome: 'timed_out' })
    // By the shorter of the two limits.
    expect(outcome.duration_ms).toBeLessThan(30_000)
    expect(receiver.received).toEqual([])
  },
)

test('a response that arrives before the whole message was sent stops the message', async () => {
  const sockets: Socket[] = []
  let received = 0
  const early = createServer((socket) => {
    sockets.push(socket)
    // The sender may end the connection with bytes under way.
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => (received += chunk.length))
    socket.once('data', () => {
      socket.pause()
      socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n')
    })
  })
  early.listen(0, '127.0.0.1')
  await once(early, 'listening')
  const { port } = early.address() as AddressInfo
  const written = Promise.withResolvers<void>()
  const outcome = await egress.post(`http://127.0.0.1:${port}/`, {
    timeout_ms: 60_000,
    compose: (write) => write({ body: Buffer.alloc(40_000_000) }).then(written.resolve),
  })

  expect(outcome).toMatchObject({ outcome: 'responded', status: 413 })
  await written.promise
  for (const socket of sockets) socket.resume()
  await waitUntil(() => sockets.every((socket) => socket.destroyed || socket.readableEnded))
  expect(sockets).toHaveLength(1)
  expect(received).toBeLessThan(40_000_000)
  early.close()
})
