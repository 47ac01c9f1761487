import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomUUID } from 'node:crypto'
import { Stripe } from 'stripe'
import { readServerSentEvents } from '../../../program/commands/listen.ts'
import { signIn } from '../../../../test/sign-in/browser.ts'
import { startService, type Merchant, type Service } from '../../../../test/service.ts'
import { openWallet } from '../../../../test/wallet.ts'
import { sql } from '../../../engine/db/sql.ts'
import { listDeliveries } from '../log/list-deliveries.ts'
import { listForwards } from './listen.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** A listener: the events so far, and a way to disconnect. */
async function listen(running: Service, merchant: Merchant, id: string = randomUUID()) {
  const disconnect = new AbortController()
  const response = await fetch(`${running.address}/listen/${id}`, {
    headers: { authorization: `Bearer ${merchant.key}` },
    signal: disconnect.signal,
  })
  const events: { event: string; data: any }[] = [] // oxlint-disable-line typescript/no-explicit-any -- a test states what it expects
  const reading = (async () => {
    for await (const { event, data } of readServerSentEvents(response.body ?? new ReadableStream())) {
      events.push({ event, data: JSON.parse(data) })
    }
  })().catch(() => {})
  const until = async (count: number) => {
    await expect.poll(() => events.length, { timeout: 15_000 }).toBeGreaterThanOrEqual(count)
  }
  return {
    id,
    status: response.status,
    events,
    until,
    async [Symbol.asyncDispose]() {
      disconnect.abort()
      await reading
    },
  }
}

async function complete(running: Service, merchant: Merchant, body: object = {}): Promise<string> {
  const { body: created } = await merchant.post('/v1/verifications', { template: 'age_over_18', ...body })
  const wallet = await openWallet(running.ctx, running.address)
  await wallet.respond(created.wallet_uri)
  return created.id
}

test('a listener gets the outcome of a verification without a webhook_url, as it would be delivered, signed with the printed secret', async () => {
  const merchant = await service.tenant()
  await using listener = await listen(service, merchant)
  await listener.until(1)
  const id = await complete(service, merchant, { metadata: { order: '7' } })
  await listener.until(2)

  const [ready, delivery] = listener.events
  const { secret } = ready?.data ?? {}
  const { headers, body } = delivery?.data ?? {}
  const payload = Stripe.webhooks.constructEvent(body, headers['x-service-signature'], secret)
  expect(payload).toEqual({
    type: 'verification.completed',
    verification: (await merchant.get(`/v1/verifications/${id}`)).body,
    sent_at: expect.stringMatching(/Z$/),
  })
  expect(secret).not.toBe(merchant.webhook_secret)
  expect(headers['x-service-event-id']).toMatch(/^evt_/)
})

test('a forward is marked in the log, is not a delivery, and changes neither the queue nor the counts of an erasure', async () => {
  await using own = await startService()
  const merchant = await own.tenant()
  await using listener = await listen(own, merchant)
  await listener.until(1)
  const id = await complete(own, merchant, { webhook_url: 'https://receiver.example.com/hook' })
  await listener.until(2)
  const forward = listener.events[1]?.data
  const report = await merchant.post('/listen/outcomes', { id: forward.id, status: 204, duration_ms: 12 })
  const again = await merchant.post('/listen/outcomes', { id: forward.id, status: 500, duration_ms: 12 })

  expect([report.status, again.status]).toEqual([200, 404])
  const { tenant_id } = merchant
  expect(await listForwards(own.ctx, { tenant_id, limit: 10 })).toMatchObject([
    { forward_id: forward.id, verification_id: id, outcome: 'delivered', status: 204 },
  ])
  expect(await listDeliveries(own.ctx, { tenant_id, environment: 'test', limit: 10 })).toEqual([])
  const owner = await signIn(own, merchant)
  const shown = async (environment: string, outcome: string) =>
    (await owner.call('listDeliveries', { params: { environment }, query: { outcome } })).body.data
  expect(await shown('test', 'succeeded')).toMatchObject([{ forward_id: forward.id, verification_id: id }])
  expect(await shown('test', 'unsuccessful')).toEqual([])
  expect(await shown('live', 'succeeded')).toEqual([])
  const queue = await own.ctx.db.query(sql`select attempt, failures from webhook_events`)
  expect(queue).toEqual([{ attempt: 0, failures: 0 }])

  const erased = await merchant.delete(`/v1/verifications/${id}`)
  expect(erased.body.deleted).toMatchObject({ webhook_deliveries: 0 })
  expect(await own.ctx.db.query(sql`select id from webhook_forwards`)).toEqual([])
})

test('a listener that reconnects within its lease misses nothing; two listeners both get the event; another tenant gets none', async () => {
  const merchant = await service.tenant()
  const other = await service.tenant()
  await using first = await listen(service, merchant)
  await using second = await listen(service, merchant)
  await using foreign = await listen(service, other)
  await Promise.all([first.until(1), second.until(1), foreign.until(1)])
  await first[Symbol.asyncDispose]()
  await complete(service, merchant)
  await second.until(2)
  await using reconnected = await listen(service, merchant, first.id)
  await reconnected.until(2)

  expect(reconnected.events[1]?.data.headers['x-service-event-id']).toBe(
    second.events[1]?.data.headers['x-service-event-id'],
  )
  expect(foreign.events).toHaveLength(1)
})

test('a live key, a missing key, a malformed id and a sixth listener are refused', async () => {
  await using own = await startService()
  const merchant = await own.tenant()
  const live = await merchant.as({ environment: 'live' })
  const id = randomUUID()

  expect((await live.get(`/listen/${id}`)).body.error.code).toBe('insufficient_scope')
  expect((await live.post('/listen/outcomes', { id, status: 200, duration_ms: 1 })).status).toBe(403)
  expect((await own.anonymous.get(`/listen/${id}`)).status).toBe(401)
  expect((await merchant.get('/listen/nobody')).status).toBe(404)
  const listeners = await Promise.all(Array.from({ length: 5 }, () => listen(own, merchant)))
  await Promise.all(listeners.map((each) => each.until(1)))
  expect((await merchant.get(`/listen/${id}`)).body.error.code).toBe('rate_limit_exceeded')
  expect((await merchant.delete(`/listen/${listeners[0]?.id}`)).status).toBe(200)
  await Promise.all(listeners.map((each) => each[Symbol.asyncDispose]()))
})

test('deleting listeners while their streams are open gives a tenant no further streams, and other tenants still get theirs', async () => {
  const [merchant, other] = [await service.tenant(), await service.tenant()]
  await using opened = new AsyncDisposableStack()
  const statuses: number[] = []
  for (let count = 0; count < 8; count += 1) {
    const listener = opened.use(await listen(service, merchant))
    statuses.push(listener.status)
    await merchant.delete(`/listen/${listener.id}`)
  }
  // A new id is another stream too.
  statuses.push(opened.use(await listen(service, merchant, randomUUID())).status)

  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429, 429])
  expect(opened.use(await listen(service, other)).status).toBe(200)
})

test('a stream does not accept HEAD', async () => {
  const merchant = await service.tenant()
  const { status, headers } = await merchant.request('HEAD', `/listen/${randomUUID()}`)
  expect([status, headers.get('allow')]).toEqual([405, 'GET, DELETE, OPTIONS'])
})
