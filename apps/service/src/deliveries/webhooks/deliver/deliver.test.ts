import { afterAll, expect, test } from 'vitest'
import { startDeliveryService, writeResult } from '../../../../test/deliveries.ts'
import { startNameServer } from '../../../../test/network/name-server.ts'
import {
  reply,
  neverRespond,
  startReceiver,
  type ReceiverBehaviour,
} from '../../../../test/network/receiver.ts'
import { sql } from '../../../engine/db/sql.ts'
import { listDeliveries, type ListDeliveries } from '../log/list-deliveries.ts'

const nameServer = await startNameServer({
  'turns.test': ({ count }) => [count === 1 ? '8.8.8.8' : '10.0.0.1'],
})
const fixture = await startDeliveryService({ DNS_SERVERS: nameServer.address, LOG_LEVEL: 'trace' })
const worker = fixture.startWorker()
afterAll(async () => {
  await worker.stop()
  await fixture[Symbol.asyncDispose]()
  await nameServer[Symbol.asyncDispose]()
})

test('[HOOK-1] [HOOK-12] a receiver gets the verification once, exactly as the read route returns it', async () => {
  await using receiver = await startReceiver(reply(204))
  const merchant = await fixture.tenant()
  const id = await fixture.complete(merchant, receiver.url)
  await fixture.waitForAttempts(merchant, 1)

  expect(receiver.received).toHaveLength(1)
  const [request] = receiver.received
  const read = await merchant.get(`/v1/verifications/${id}`)
  expect(read.body).toMatchObject({
    status: 'completed',
    claims: { age_over_18: true },
    metadata: { order: '7' },
  })
  expect(JSON.parse(request?.body ?? '')).toEqual({
    type: 'verification.completed',
    verification: read.body,
    sent_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
  })
  expect(request).toMatchObject({
    line: 'POST /hook HTTP/1.1',
    headers: {
      'content-type': 'application/json',
      'x-service-attempt': '1',
      'x-service-event-id': expect.stringMatching(/^evt_[\w-]{22}$/),
    },
  })
})

test.each<[what: string, behaviour: ReceiverBehaviour, logged: object]>([
  ['200', reply(200), { outcome: 'delivered', status: 200, error: null }],
  [
    '301',
    reply(301, { location: 'http://127.0.0.1/' }),
    { outcome: 'failed', status: 301, error: 'responded with status 301' },
  ],
  ['404', reply(404), { outcome: 'failed', status: 404, error: 'responded with status 404' }],
  ['410', reply(410), { outcome: 'failed', status: 410, error: 'responded with status 410' }],
  [
    '500',
    reply(500, {}, 'claims come back'),
    { outcome: 'failed', status: 500, error: 'responded with status 500' },
  ],
  [
    'a reset',
    (socket) => void socket.resetAndDestroy(),
    { outcome: 'failed', status: null, error: 'the connection failed (ECONNRESET)' },
  ],
  [
    'not HTTP',
    (socket) => void socket.write('claims come back\r\n'),
    { outcome: 'failed', status: null, error: 'the response was not HTTP (HTTPParserError)' },
  ],
])(
  '[HOOK-4] [HOOK-6] [HOOK-7] the response %s is logged in our own words',
  async (_what, behaviour, logged) => {
    await using receiver = await startReceiver(behaviour)
    const merchant = await fixture.tenant()
    const verification_id = await fixture.complete(merchant, receiver.url)

    expect(await fixture.waitForAttempts(merchant, 1)).toEqual([
      {
        verification_id,
        endpoint_id: '',
        event_type: 'verification.completed',
        url: receiver.url,
        attempt: 1,
        attempted_at: expect.any(String),
        duration_ms: expect.any(Number),
        ...logged,
      },
    ])
  },
)

test('[HOOK-5] a host that is public at creation and private at delivery is refused and logged as refused', async () => {
  await using receiver = await startReceiver(reply(200))
  const merchant = await fixture.tenant()
  await fixture.complete(merchant, `http://turns.test:${receiver.port}/`)

  expect(await fixture.waitForAttempts(merchant, 1)).toMatchObject([
    { outcome: 'refused', status: null, error: 'the host is not a public address' },
  ])
  expect(receiver.connections).toBe(0)
})

test('[HOOK-8] nothing is sent for a result that was rolled back', async () => {
  await using receiver = await startReceiver(reply(200))
  const merchant = await fixture.tenant()
  const { body } = await merchant.post('/v1/verifications', {
    template: 'age_over_18',
    webhook_url: receiver.url,
  })
  await fixture.ctx.db
    .transaction(async (tx) => {
      await writeResult(tx, merchant.tenant_id, body.id, { url: receiver.url })
      throw new Error('rolled back')
    })
    .catch(() => 'rolled back')
  const delivered = await fixture.complete(merchant, receiver.url)
  await expect.poll(() => receiver.received.length).toBe(1)

  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ verification: { id: delivered } })
})

test('[HOOK-9] a receiver that never responds does not delay another tenant', async () => {
  await using unresponsive = await startReceiver(neverRespond)
  await using healthy = await startReceiver(reply(200))
  const [slow, quick] = [await fixture.tenant(), await fixture.tenant()]
  for (let event = 0; event < 40; event += 1) await fixture.complete(slow, unresponsive.url)
  // Its limit rises while it has a backlog.
  await expect.poll(() => unresponsive.received.length, { timeout: 10_000 }).toBe(16)
  await fixture.complete(quick, healthy.url)
  const committed = performance.now()
  await expect.poll(() => healthy.received.length, { interval: 5 }).toBe(1)

  expect(performance.now() - committed).toBeLessThan(1000)
  expect(unresponsive.maxOpen).toBe(16)
  unresponsive.closeConnections()
})

test('[HOOK-7] a tenant reads only its own log, one page at a time', async () => {
  await using receiver = await startReceiver(reply(200))
  const [one, other] = [await fixture.tenant(), await fixture.tenant()]
  for (let event = 0; event < 5; event += 1) await fixture.complete(one, receiver.url)
  await fixture.complete(other, receiver.url)
  await Promise.all([fixture.waitForAttempts(one, 5), fixture.waitForAttempts(other, 1)])

  const list = (filter: Partial<ListDeliveries>) =>
    listDeliveries(fixture.ctx, { tenant_id: one.tenant_id, environment: 'test', limit: 100, ...filter })
  expect(await list({})).toHaveLength(5)
  expect(await list({ environment: 'live' })).toEqual([])
  expect(await list({ tenant_id: other.tenant_id })).toHaveLength(1)
  const firstPage = await list({ limit: 3 })
  const secondPage = await list({ limit: 3, before: firstPage.at(-1)?.attempted_at ?? '' })
  expect(new Set([...firstPage, ...secondPage].map(({ verification_id }) => verification_id)).size).toBe(5)
})

test('[HOOK-13] payloads are stored nowhere: no delivery table and no log line contains a claim', async () => {
  await using receiver = await startReceiver((socket, request) =>
    reply(500, {}, request.body)(socket, request),
  )
  const merchant = await fixture.tenant()
  await fixture.complete(merchant, receiver.url, { claims: { family_name: 'Canary-7f3a' } })
  await fixture.waitForAttempts(merchant, 1)
  const rows = await fixture.ctx.db.query(sql`
    select to_jsonb(queue) as row from webhook_events queue
    union all select to_jsonb(log) from webhook_deliveries log
    union all select to_jsonb(inbox) from audit_inbox inbox
    union all select to_jsonb(entry) from audit_entries entry
    union all select to_jsonb(texts) from audit_texts texts`)

  expect(receiver.received[0]?.body).toContain('Canary-7f3a')
  expect(JSON.stringify(rows)).toContain(receiver.url)
  expect(JSON.stringify(rows)).not.toContain('Canary-7f3a')
  expect(fixture.log.join('\n')).not.toContain('Canary-7f3a')
})

test('[RET-3] a result kept only for delivery is deleted once the receiver acknowledges it', async () => {
  await using receiver = await startReceiver(reply(200))
  const merchant = await fixture.tenant()
  const deleted = await fixture.complete(merchant, receiver.url, { forget_on_delivery: true })
  const kept = await fixture.complete(merchant, receiver.url)
  await fixture.waitForAttempts(merchant, 2)

  expect(receiver.received).toHaveLength(2)
  for (const { body } of receiver.received)
    expect(JSON.parse(body)).toMatchObject({ verification: { claims: { age_over_18: true } } })
  expect((await merchant.get(`/v1/verifications/${deleted}`)).body).not.toHaveProperty('claims')
  expect((await merchant.get(`/v1/verifications/${kept}`)).body).toHaveProperty('claims')
})

test('[RET-3] a result that was not acknowledged is kept', async () => {
  await using receiver = await startReceiver(reply(500))
  const merchant = await fixture.tenant()
  const id = await fixture.complete(merchant, receiver.url, { forget_on_delivery: true })
  await fixture.waitForAttempts(merchant, 1)

  expect((await merchant.get(`/v1/verifications/${id}`)).body).toHaveProperty('claims')
})
