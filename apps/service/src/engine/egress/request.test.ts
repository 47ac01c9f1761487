import { setTimeout as pass } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { openEgressFixture } from '../../../test/network/egress-fixture.ts'
import { reply, neverRespond, startReceiver, type ReceiverBehaviour } from '../../../test/network/receiver.ts'

const egress = await openEgressFixture({}, '127.0.0.1/32')
afterAll(() => egress[Symbol.asyncDispose]())

test('the receiver gets the message as written, and its response is returned', async () => {
  await using receiver = await startReceiver(
    reply(201, { 'content-type': 'text/plain', 'retry-after': '7' }, 'thank you'),
  )
  const outcome = await egress.post(`${receiver.url}/a%20b?c=d#e`)

  expect(outcome).toMatchObject({
    outcome: 'responded',
    status: 201,
    headers: { content_type: 'text/plain', retry_after: '7' },
    complete: true,
  })
  expect('body' in outcome && outcome.body.toString()).toBe('thank you')
  expect(receiver.received).toEqual([
    {
      line: 'POST /hook/a%20b?c=d HTTP/1.1',
      headers: {
        host: `127.0.0.1:${receiver.port}`,
        connection: 'keep-alive',
        'user-agent': 'Vidimus',
        'accept-encoding': 'identity',
        'content-type': 'application/json',
        'content-length': '18',
      },
      body: '{"hello":"wörld"}',
    },
  ])
})

test('credentials in a URL are sent as Basic credentials', async () => {
  await using receiver = await startReceiver(reply(200))
  await egress.post(receiver.url.replace('//', '//us%20er:100%@'))

  expect(receiver.received[0]?.headers['authorization']).toBe(
    `Basic ${Buffer.from('us er:100%').toString('base64')}`,
  )
})

test('[HOOK-4] every status is an answer, and redirects are not followed', async () => {
  await using elsewhere = await startReceiver(reply(200))
  for (const status of [
    200, 204, 299, 301, 302, 303, 307, 308, 304, 400, 401, 404, 410, 429, 500, 503, 599, 999,
  ]) {
    await using receiver = await startReceiver(reply(status, { location: elsewhere.url }))
    expect(await egress.post(receiver.url)).toMatchObject({ outcome: 'responded', status })
    expect(receiver.received).toHaveLength(1)
  }
  expect(elsewhere.connections).toBe(0)
})

const head = 'HTTP/1.1 200 OK\r\n'

test.each<[what: string, behaviour: ReceiverBehaviour, outcome: object]>([
  [
    'resets the connection',
    (socket) => void socket.resetAndDestroy(),
    { outcome: 'failed', reason: 'connection' },
  ],
  [
    'closes the connection without a response',
    (socket) => void socket.end(),
    { outcome: 'failed', reason: 'connection' },
  ],
  ['never answers', neverRespond, { outcome: 'timed_out' }],
  ['never ends its headers', (socket) => drip(socket, `${head}x-slow: `), { outcome: 'timed_out' }],
  [
    'does not speak HTTP',
    (socket) => void socket.write('220 mail.test ESMTP\r\n'),
    { outcome: 'failed', reason: 'http' },
  ],
  [
    'switches protocols',
    (socket) => void socket.write('HTTP/1.1 101 No\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    { outcome: 'failed' },
  ],
  [
    'sends 100 Continue unasked',
    (socket) => void socket.write('HTTP/1.1 100 Continue\r\n\r\n'),
    { outcome: 'failed' },
  ],
  [
    'answers with status 000',
    (socket) => void socket.write('HTTP/1.1 000 No\r\n\r\n'),
    { outcome: 'failed' },
  ],
  [
    'answers with status 20',
    (socket) => void socket.write('HTTP/1.1 20 No\r\n\r\n'),
    { outcome: 'failed', reason: 'http' },
  ],
  [
    'answers with status 099',
    (socket) => void socket.write('HTTP/1.1 099 No\r\n\r\n'),
    { outcome: 'failed' },
  ],
  [
    'sends 10,000 headers',
    flood('x-header: value\r\n', 10_000),
    { outcome: 'failed', reason: 'http', code: 'UND_ERR_HEADERS_OVERFLOW' },
  ],
  [
    'sends 100,000 headers',
    flood('x-header: value\r\n', 100_000),
    { outcome: 'failed', reason: 'http', code: 'UND_ERR_HEADERS_OVERFLOW' },
  ],
  [
    'sends one header of 1 MB',
    flood(`x: ${'y'.repeat(1_000_000)}\r\n`, 1),
    { outcome: 'failed', reason: 'http' },
  ],
  [
    'sends two different lengths',
    (socket) => void socket.write(`${head}content-length: 1\r\ncontent-length: 2\r\n\r\nab`),
    { outcome: 'failed', reason: 'http' },
  ],
  [
    'sends a length and chunks',
    (socket) => void socket.write(`${head}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`),
    { outcome: 'failed', reason: 'http' },
  ],
  [
    'sends early hints forever',
    (socket) => repeat(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
    { outcome: 'failed', reason: 'http', code: 'ANSWER_TOO_LONG' },
  ],
])('[HOOK-6] a receiver that %s yields an outcome, not an exception', async (_what, behaviour, outcome) => {
  await using receiver = await startReceiver(behaviour)
  expect(await egress.post(receiver.url, { timeout_ms: 500 })).toMatchObject(outcome)
})

test.each<[what: string, behaviour: ReceiverBehaviour]>([
  ['sends one byte at a time', (socket) => drip(socket, `${head}content-length: 1000\r\n\r\n`)],
  [
    'sends 100 MB',
    (socket) =>
      repeat(
        socket.on('drain', () => {}),
        'x'.repeat(65_536),
        `${head}content-length: 104857600\r\n\r\n`,
      ),
  ],
  [
    'sends endless chunks',
    (socket) => repeat(socket, '1\r\nx\r\n', `${head}transfer-encoding: chunked\r\n\r\n`),
  ],
  [
    'resets the connection in the middle of the body',
    (socket) => socket.write(`${head}content-length: 1000\r\n\r\nabc`, () => socket.resetAndDestroy()),
  ],
  [
    'sends malformed chunks',
    (socket) => void socket.write(`${head}transfer-encoding: chunked\r\n\r\nzz\r\n`),
  ],
])(
  '[HOOK-6] a receiver that sends status 200 and then %s has answered, in time and with at most 16 KiB read',
  async (_what, behaviour) => {
    await using receiver = await startReceiver(behaviour)
    const outcome = await egress.post(receiver.url, { timeout_ms: 500 })

    expect(outcome).toMatchObject({ outcome: 'responded', status: 200, complete: false })
    expect('body' in outcome && outcome.body.length).toBeLessThanOrEqual(16 * 1024)
    expect(outcome.duration_ms).toBeLessThan(1000)
  },
)

function drip(socket: Parameters<ReceiverBehaviour>[0], first: string): void {
  socket.write(first)
  const timer = setInterval(() => socket.write('x'), 20)
  socket.once('close', () => clearInterval(timer))
}

function repeat(socket: Parameters<ReceiverBehaviour>[0], piece: string, first = ''): void {
  socket.write(first)
  const more = () => {
    while (!socket.destroyed && socket.write(piece.repeat(100)));
  }
  socket.on('drain', more)
  more()
}

function flood(field: string, times: number): ReceiverBehaviour {
  return (socket) => void socket.write(`${head}${field.repeat(times)}\r\n`)
}

test('nothing is decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  await using receiver = await startReceiver((socket) => {
    socket.write(`${head}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
    socket.write(bomb)
  })
  const outcome = await egress.post(receiver.url, { max_response_bytes: 1_000_000 })

  expect('body' in outcome && outcome.body.equals(bomb)).toBe(true)
})

test('a response of several MiB in small chunks is read completely', async () => {
  const pieces = Buffer.from('8\r\nvidimus.\r\n'.repeat(2 ** 18) + '0\r\n\r\n')
  await using receiver = await startReceiver((socket) => {
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n`)
    socket.write(pieces)
  })
  const outcome = await egress.post(receiver.url, { max_response_bytes: 2 ** 22, timeout_ms: 20_000 })

  expect(outcome).toMatchObject({ outcome: 'responded', complete: true })
  expect('body' in outcome && outcome.body.length).toBe(2 ** 21)
})

test('a request that is not written is withdrawn without a trace', async () => {
  await using receiver = await startReceiver(reply(200))
  expect(await egress.post(receiver.url, { compose: async () => {} })).toMatchObject({ outcome: 'withdrawn' })
  await pass(50)

  expect(receiver.received).toEqual([])
  expect(receiver.open).toBe(0)
})

test('an error of compose is thrown, and its connection is not reused', async () => {
  await using receiver = await startReceiver(reply(200))
  const fault = new Error('the database is gone')
  await expect(
    egress.post(receiver.url, {
      async compose(write) {
        await write({ body: 'sent all the same' })
        throw fault
      },
    }),
  ).rejects.toBe(fault)
  await egress.post(receiver.url)

  expect(receiver.connections).toBe(2)
})
