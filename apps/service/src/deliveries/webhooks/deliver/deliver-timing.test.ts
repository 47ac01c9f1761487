import { Stripe } from 'stripe'
import { expect, test } from 'vitest'
import { setClockOffset } from '../../../../test/database/clock.ts'
import { startDeliveryService } from '../../../../test/deliveries.ts'
import { reply, neverRespond, startReceiver } from '../../../../test/network/receiver.ts'
import { sql } from '../../../engine/db/sql.ts'
import { rotateWebhookSecret } from '../secrets/secrets.ts'

const { webhooks } = new Stripe('sk_test_unused')

test('[HOOK-1] a failure is delivered as a failure; an expiry, and a verification without a webhook_url, are not delivered', async () => {
  await using receiver = await startReceiver(reply(200))
  await using fixture = await startDeliveryService()
  const merchant = await fixture.tenant()
  await fixture.complete(merchant, receiver.url, { status: 'failed' })
  await merchant.post('/v1/verifications', {
    template: 'age_over_18',
    webhook_url: receiver.url,
    ttl_seconds: 60,
  })
  await setClockOffset(fixture.ctx.db, '2 minutes')
  await using worker = fixture.startWorker()
  await expect.poll(() => fixture.countQueued()).toBe(0)
  await worker.stop()

  expect(receiver.received.map(({ body }) => JSON.parse(body))).toMatchObject([
    { type: 'verification.failed', verification: { status: 'failed', error: { code: 'holder_declined' } } },
  ])
})

test('[HOOK-2] [HOOK-3] every attempt gets a new signature, with both secrets for a day after a rotation', async () => {
  await using receiver = await startReceiver(reply(200))
  await using fixture = await startDeliveryService()
  const merchant = await fixture.tenant()
  await using worker = fixture.startWorker()
  const signatures = async () => {
    const before = receiver.received.length
    await fixture.complete(merchant, receiver.url)
    await expect.poll(() => receiver.received.length).toBe(before + 1)
    const { body = '', headers = {} } = receiver.received.at(-1) ?? {}
    return { body, header: headers['x-service-signature'] ?? '' }
  }

  const first = await signatures()
  expect(first.header).toMatch(/^t=\d{10},v1=[0-9a-f]{64}$/)
  webhooks.constructEvent(first.body, first.header, merchant.webhook_secret)

  const second = await rotateWebhookSecret(fixture.ctx, {
    by: { kind: 'operator', tenant_id: merchant.tenant_id },
    environment: 'test',
  })
  const both = await signatures()
  expect(both.header).toMatch(/^t=\d{10},v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
  for (const secret of [second, merchant.webhook_secret])
    webhooks.constructEvent(both.body, both.header, secret)
  const newFirst = both.header.replace(/,v1=[0-9a-f]{64}$/, '')
  webhooks.constructEvent(both.body, newFirst, second)

  await setClockOffset(fixture.ctx.db, '24 hours')
  const later = await signatures()
  expect(later.header).toMatch(/^t=\d{10},v1=[0-9a-f]{64}$/)
  const t = Number(/^t=(\d+)/.exec(later.header)?.[1])
  expect(Math.abs(t - (Date.now() / 1000 + 86_400))).toBeLessThan(5)
  await worker.stop()
})

test('[HOOK-6] a receiver that takes more than ten seconds times out', async () => {
  await using receiver = await startReceiver(neverRespond)
  await using fixture = await startDeliveryService()
  const merchant = await fixture.tenant()
  await fixture.complete(merchant, receiver.url)
  await using worker = fixture.startWorker()
  const [attempt] = await fixture.waitForAttempts(merchant, 1)
  await worker.stop()

  expect(attempt).toMatchObject({
    outcome: 'timed_out',
    status: null,
    error: 'no response within 10 seconds',
  })
  expect(attempt?.duration_ms).toBeGreaterThanOrEqual(9990)
  expect(attempt?.duration_ms).toBeLessThan(11_000)
})

test('[HOOK-6] [HOOK-7] [HOOK-12] six attempts are made on schedule, each logged, all with the same event id', async () => {
  await using receiver = await startReceiver(reply(503))
  await using fixture = await startDeliveryService()
  const merchant = await fixture.tenant()
  await fixture.complete(merchant, receiver.url)
  await using worker = fixture.startWorker()
  let turned = 0
  for (const [index, wait] of [5, 300, 1800, 7200, 18_000].entries()) {
    // Once the attempt is logged, the next one is scheduled by the current clock.
    await fixture.waitForAttempts(merchant, index + 1)
    await setClockOffset(fixture.ctx.db, `${turned + 0.5 * wait} seconds`)
    await new Promise((resolve) => setTimeout(resolve, 250))
    expect(receiver.received).toHaveLength(index + 1)
    turned += 1.2 * wait
    await setClockOffset(fixture.ctx.db, `${turned} seconds`)
  }
  await expect.poll(() => fixture.countQueued()).toBe(0)
  await worker.stop()

  const log = await fixture.waitForAttempts(merchant, 6)
  expect(log.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6])
  expect(receiver.received.map(({ headers }) => headers['x-service-attempt'])).toEqual([
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
  ])
  expect(new Set(receiver.received.map(({ headers }) => headers['x-service-event-id'])).size).toBe(1)
})

test('[HOOK-6] Retry-After postpones the next attempt by up to twice the delay', async () => {
  await using receiver = await startReceiver(reply(429, { 'retry-after': '9' }))
  await using fixture = await startDeliveryService()
  const merchant = await fixture.tenant()
  await fixture.complete(merchant, receiver.url)
  await using worker = fixture.startWorker()
  const wait = async () => {
    const [row] = await fixture.ctx.db.query<{ wait: number }>(sql`
      select extract(epoch from due_at - service_now())::float8 as wait from webhook_events where lease is null and not ready`)
    return row?.wait ?? 0
  }
  await expect.poll(wait).toBeGreaterThan(8)
  expect(await wait()).toBeLessThanOrEqual(9)
  await worker.stop()
})
