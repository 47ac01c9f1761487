import { afterAll, expect, test } from 'vitest'
import { setClockOffset } from '../../../../test/database/clock.ts'
import { startDeliveryService } from '../../../../test/deliveries.ts'
import { findTables } from '../../../../test/database/find-text.ts'
import { neverRespond, reply, startReceiver } from '../../../../test/network/receiver.ts'
import type { Merchant } from '../../../../test/service.ts'
import { openWallet } from '../../../../test/wallet.ts'
import { declaredTables } from '../../../engine/db/schema/tables.ts'
import { sql } from '../../../engine/db/sql.ts'
import { setPolicies } from '../../../accounts/tenants/tenant-settings.ts'
import { expireVerifications } from '../../../verifications/retention/expire.ts'
import { signBody } from '../compose.ts'

const fixture = await startDeliveryService({ WEBHOOK_BACKOFF_SECONDS: '1,1' })
const worker = fixture.startWorker()
afterAll(async () => {
  await worker.stop()
  await fixture[Symbol.asyncDispose]()
})

type Receiver = Awaited<ReturnType<typeof startReceiver>>

const path = '/v1/webhook_endpoints'
const every = ['verification.completed', 'verification.failed', 'verification.expired']

async function create(merchant: Pick<Merchant, 'post'>, url: string, events: string[] = every) {
  const { body } = await merchant.post(path, { url, events })
  const id: string = body.endpoint.id
  const secret: string = body.secret
  return { id, secret }
}

const types = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body).type)

function expectSigned({ received }: Receiver, secrets: string[]): void {
  for (const { headers, body } of received) {
    const signature = headers['x-service-signature'] ?? ''
    const unix_seconds = Number(/^t=(\d+)/.exec(signature)?.[1])
    expect(signature).toBe(signBody({ body, unix_seconds, secrets }))
  }
}

async function respondTo(
  merchant: Merchant,
  more: object = {},
  behaviour: 'responds' | 'declines' = 'responds',
) {
  const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18', ...more })
  const responded = await (
    await openWallet(fixture.ctx, fixture.address, { behaviour })
  ).respond(body.wallet_uri)
  const id: string = body.id
  return { id, responded }
}

test('an outcome reaches every endpoint that asks for it and the webhook_url, once each, signed with the secret of each', async () => {
  await using own = await startReceiver(reply(204))
  await using first = await startReceiver(reply(204))
  await using second = await startReceiver(reply(204))
  await using uninterested = await startReceiver(reply(204))
  const merchant = await fixture.tenant()
  const a = await create(merchant, first.url)
  const b = await create(merchant, second.url, ['verification.completed'])
  await create(merchant, uninterested.url, ['verification.expired'])
  const { id } = await respondTo(merchant, { webhook_url: own.url })
  await fixture.waitForAttempts(merchant, 3)
  await respondTo(merchant, {}, 'declines')
  const attempts = await fixture.waitForAttempts(merchant, 4)

  expect(types(own)).toEqual(['verification.completed'])
  expect(types(first)).toEqual(['verification.completed', 'verification.failed'])
  expect(types(second)).toEqual(['verification.completed'])
  expect(uninterested.received).toEqual([])
  expectSigned(own, [merchant.webhook_secret])
  expectSigned(first, [a.secret])
  expectSigned(second, [b.secret])
  const [mine, theirs] = [own.received[0], first.received[0]]
  expect(theirs?.headers['x-service-event-id']).toBe(mine?.headers['x-service-event-id'])
  expect(JSON.parse(theirs?.body ?? '').verification).toEqual(
    (await merchant.get(`/v1/verifications/${id}`)).body,
  )
  expect(attempts.map(({ endpoint_id, url, event_type }) => [endpoint_id, url, event_type])).toEqual(
    expect.arrayContaining([
      ['', own.url, 'verification.completed'],
      [a.id, first.url, 'verification.completed'],
      [b.id, second.url, 'verification.completed'],
      [a.id, first.url, 'verification.failed'],
    ]),
  )
})

test('endpoints of another tenant or environment, and disabled ones, get nothing', async () => {
  await using receiver = await startReceiver(reply(204))
  await using mine = await startReceiver(reply(204))
  const merchant = await fixture.tenant()
  await create(await fixture.tenant(), receiver.url)
  await create(await merchant.as({ environment: 'live' }), receiver.url)
  const disabled = await create(merchant, receiver.url)
  await merchant.patch(`${path}/${disabled.id}`, { enabled: false })
  await create(merchant, mine.url)
  await respondTo(merchant)
  await fixture.waitForAttempts(merchant, 1)

  expect(mine.received).toHaveLength(1)
  expect(receiver.received).toEqual([])
  expect(await fixture.countQueued()).toBe(0)
})

test('an expiry is sent once to the endpoints that ask for it, however many workers sweep', async () => {
  await using receiver = await startReceiver(reply(204))
  await using own = await startReceiver(reply(204))
  const merchant = await fixture.tenant()
  await create(merchant, receiver.url)
  await create(merchant, own.url, ['verification.completed'])
  const { body } = await merchant.post('/v1/verifications', {
    template: 'age_over_18',
    ttl_seconds: 60,
    webhook_url: own.url,
  })
  await setClockOffset(fixture.ctx.db, '61 seconds')
  await Promise.all(Array.from({ length: 5 }, () => expireVerifications(fixture.ctx)))
  await fixture.waitForAttempts(merchant, 1)
  await expireVerifications(fixture.ctx)
  await setClockOffset(fixture.ctx.db, '0')

  await expect.poll(() => receiver.received.length).toBe(1)
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    type: 'verification.expired',
    verification: { id: body.id, status: 'expired' },
  })
  expect(await fixture.countQueued()).toBe(0)
  expect(own.received).toEqual([])
})

test('a held answer is announced at its redemption, or as expired once its code stops working', async () => {
  await using receiver = await startReceiver(reply(204))
  await using failures = await startReceiver(reply(204))
  const merchant = await fixture.tenant()
  await setPolicies(fixture.ctx, { tenant_id: merchant.tenant_id, hold_back: true })
  await create(merchant, receiver.url)
  await create(merchant, failures.url, ['verification.expired'])
  const held = async () => {
    const { id, responded } = await respondTo(merchant, { redirect_url: 'https://shop.example/' })
    if (!responded.sent) throw new Error('the wallet did not respond')
    return { id, code: JSON.parse(responded.body).redirect_uri.split('response_code=')[1] }
  }
  const redeemed = await held()
  await merchant.post(`/v1/verifications/${redeemed.id}/redeem`, { response_code: redeemed.code })
  await fixture.waitForAttempts(merchant, 1)
  expect(types(receiver)).toEqual(['verification.completed'])

  const forgotten = await held()
  await setClockOffset(fixture.ctx.db, '20 minutes')
  await fixture.waitForAttempts(merchant, 3)
  await setClockOffset(fixture.ctx.db, '0')
  for (const each of [receiver, failures]) {
    const last = JSON.parse(each.received.at(-1)?.body ?? '')
    expect(last).toMatchObject({
      type: 'verification.expired',
      verification: { id: forgotten.id, status: 'expired' },
    })
    expect(last.verification).not.toHaveProperty('claims')
  }
  expect(failures.received).toHaveLength(1)
})

test('a changed URL gets what is being retried, also on another host', async () => {
  await using wrong = await startReceiver(reply(500))
  await using right = await startReceiver(reply(204))
  const merchant = await fixture.tenant()
  const { id } = await create(merchant, wrong.url)
  await respondTo(merchant)
  await fixture.waitForAttempts(merchant, 1)
  await merchant.patch(`${path}/${id}`, { url: right.url })
  const attempts = await fixture.waitForAttempts(merchant, 2)

  expect(right.received).toHaveLength(1)
  expect(right.received[0]?.headers['x-service-attempt']).toBe('2')
  expect(attempts.map(({ outcome, url }) => [outcome, url])).toEqual([
    ['failed', wrong.url],
    ['delivered', right.url],
  ])
})

test('what waits for a disabled endpoint is logged as refused, and for a deleted one is dropped', async () => {
  await using receiver = await startReceiver(reply(500))
  const merchant = await fixture.tenant()
  const disabled = await create(merchant, receiver.url)
  const deleted = await create(merchant, receiver.url)
  await respondTo(merchant)
  await fixture.waitForAttempts(merchant, 2)
  const before = receiver.received.length
  await merchant.patch(`${path}/${disabled.id}`, { enabled: false })
  await merchant.delete(`${path}/${deleted.id}`)
  await fixture.makeDue()
  const attempts = await fixture.waitForAttempts(merchant, 3)

  expect(attempts.at(-1)).toMatchObject({
    endpoint_id: disabled.id,
    outcome: 'refused',
    error: 'the endpoint is disabled',
  })
  await expect.poll(() => fixture.countQueued()).toBe(0)
  expect(receiver.received.length).toBeLessThanOrEqual(before + 1)
  expect((await merchant.get(`${path}/${disabled.id}`)).body).toMatchObject({ disabled_reason: 'by_request' })
})

test('an endpoint is failing from its first failed attempt to the next that succeeds', async () => {
  let status = 500
  await using receiver = await startReceiver((socket, request) => reply(status)(socket, request))
  const merchant = await fixture.tenant()
  const { id } = await create(merchant, receiver.url)
  await respondTo(merchant)
  const [first] = await fixture.waitForAttempts(merchant, 1)
  const failing = (await merchant.get(`${path}/${id}`)).body.failing_since
  expect(failing >= (first?.attempted_at ?? '')).toBe(true)
  await fixture.waitForAttempts(merchant, 2)
  expect((await merchant.get(`${path}/${id}`)).body.failing_since).toBe(failing)
  status = 204
  await respondTo(merchant)
  await fixture.waitForAttempts(merchant, 4)

  expect((await merchant.get(`${path}/${id}`)).body).not.toHaveProperty('failing_since')
})

test('[HOOK-9] an endpoint that never responds delays neither another tenant nor the other endpoint', async () => {
  await using silent = await startReceiver(neverRespond)
  await using quick = await startReceiver(reply(204))
  const merchant = await fixture.tenant()
  const other = await fixture.tenant()
  await create(merchant, silent.url)
  await create(merchant, quick.url)
  await create(other, quick.url)
  await Promise.all([respondTo(merchant), respondTo(merchant), respondTo(other)])

  await expect.poll(() => quick.received.length, { timeout: 5000 }).toBe(3)
  silent.closeConnections()
})

test('[ERASE-2] [ERASE-3] an erasure removes what waits for endpoints, what was sent to them, what they answered, and every other row that names the verification', async () => {
  await using failing = await startReceiver(reply(500, {}, 'no room for claims'))
  await using working = await startReceiver(reply(200, {}, 'thank you'))
  const merchant = await fixture.tenant()
  await create(merchant, failing.url)
  await create(merchant, working.url)
  const { id } = await respondTo(merchant)
  await fixture.waitForAttempts(merchant, 2)
  const tables = () => findTables(fixture.ctx.db, id)
  const cleaned = declaredTables.filter(({ erasure }) => erasure !== undefined).map(({ name }) => name)
  expect(await tables()).toEqual(expect.arrayContaining(['webhook_events', 'webhook_responses']))
  expect((await tables()).filter((name) => !cleaned.includes(name))).toEqual([])

  const { body } = await merchant.delete(`/v1/verifications/${id}`)
  expect(body.deleted.webhook_deliveries).toBeGreaterThanOrEqual(2)
  expect(await tables()).toEqual([])
  const sent = failing.received.length
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(failing.received).toHaveLength(sent)
  expect(await tables()).toEqual([])
})

test('[RET-3] with several receivers a result is kept until all are done, and deleted if one acknowledged', async () => {
  let status = 500
  await using slow = await startReceiver((socket, request) => reply(status)(socket, request))
  await using quick = await startReceiver(reply(200, {}, 'echo'))
  const merchant = await fixture.tenant()
  await create(merchant, slow.url)
  await create(merchant, quick.url)
  const id = await fixture.complete(merchant, quick.url, { forget_on_delivery: true })
  const results = () =>
    fixture.ctx.db.query(sql`select 1 from verification_results where verification_id = ${id}`)
  await fixture.waitForAttempts(merchant, 3)
  expect(await results()).toHaveLength(1)
  status = 204
  await fixture.waitForAttempts(merchant, 4)

  await expect.poll(async () => (await results()).length).toBe(0)
  expect(JSON.parse(slow.received.at(-1)?.body ?? '').verification.claims).toEqual({ age_over_18: true })
  expect(
    await fixture.ctx.db.query(sql`select 1 from webhook_responses where verification_id = ${id}`),
  ).toEqual([])
})
