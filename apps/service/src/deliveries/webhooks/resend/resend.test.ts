import { afterAll, expect, test } from 'vitest'
import { startDeliveryService } from '../../../../test/deliveries.ts'
import { reply, startReceiver } from '../../../../test/network/receiver.ts'
import type { Merchant } from '../../../../test/service.ts'
import { signIn } from '../../../../test/sign-in/browser.ts'
import { sql } from '../../../engine/db/sql.ts'
import { resendFailedEvents } from '../../../verifications/dashboard/show-webhook.ts'
import { setPolicies } from '../../../accounts/tenants/tenant-settings.ts'
import { resendBounds } from './resend.ts'

const fixture = await startDeliveryService({ WEBHOOK_BACKOFF_SECONDS: '0' })
afterAll(() => fixture[Symbol.asyncDispose]())

const here = { environment: 'test' }
const longAgo = '2026-01-01T00:00:00Z'

async function createEndpoint(merchant: Merchant, url: string): Promise<string> {
  const events = ['verification.completed', 'verification.failed']
  return (await merchant.post('/v1/webhook_endpoints', { url, events })).body.endpoint.id
}

/** A receiver that fails until it is told to work. */
async function startMendable() {
  let status = 500
  const receiver = await startReceiver((socket, request) =>
    reply(status, {}, '<b>no</b> such order')(socket, request),
  )
  return Object.assign(receiver, { mend: () => void (status = 204) })
}

test('every event that failed for good since a time is sent again, to all receivers or to one', async () => {
  await using receiver = await startMendable()
  await using other = await startMendable()
  await using stack = new AsyncDisposableStack()
  stack.use(fixture.startWorker())
  const merchant = await fixture.tenant()
  const owner = await signIn(fixture, merchant)
  const endpoint_id = await createEndpoint(merchant, other.url)
  await fixture.complete(merchant, receiver.url)
  const erased = await fixture.complete(merchant, receiver.url)
  await fixture.complete(merchant, receiver.url)
  await fixture.waitForAttempts(merchant, 12)
  await merchant.delete(`/v1/verifications/${erased}`)
  for (const each of [receiver, other]) each.mend()
  const resend = async (body: object) => {
    const requested = await owner.call('resendFailed', { params: here, body })
    expect(requested.status).toBe(201)
    const latest = async () => (await owner.call('getResend', { params: here })).body.latest
    await expect.poll(async () => (await latest()).finished_at, { timeout: 10_000 }).toBeDefined()
    return (await latest()).queued
  }

  expect((await owner.call('getResend', { params: here })).body).toEqual({})
  expect(await resend({ since: new Date(Date.now() + 60_000).toISOString() })).toBe(0)
  expect(await resend({ since: longAgo, endpoint_id })).toBe(2)
  await expect.poll(() => other.received.length).toBe(8)
  expect(receiver.received).toHaveLength(6)
  expect(await resend({ since: longAgo })).toBe(2)
  await expect.poll(() => receiver.received.length).toBe(8)
  await fixture.waitForAttempts(merchant, 12)
  expect(await resend({ since: longAgo })).toBe(0)
  expect(receiver.received.at(-1)?.headers['x-service-attempt']).toBe('3')
})

test('a request is worked off at a bounded rate, once, by any number of workers, and another has to wait', async () => {
  const merchant = await fixture.tenant()
  const other = await signIn(fixture, await fixture.tenant())
  const owner = await signIn(fixture, merchant)
  const count = 2 * resendBounds.eventsPerRun + 7
  for (let each = 0; each < count; each += 1) await fixture.complete(merchant, 'http://127.0.0.1:8/hook')
  const { db } = fixture.ctx
  await db.execute(sql`
    insert into webhook_deliveries (verification_day, verification_id, attempt, tenant_id, environment, attempted_at, outcome)
    select verification_day, verification_id, 1, tenant_id, environment, service_now(), 'failed' from webhook_events
    where tenant_id = ${merchant.tenant_id}`)
  await db.execute(sql`delete from webhook_events where tenant_id = ${merchant.tenant_id}`)
  const input = { params: here, body: { since: longAgo } }
  expect((await owner.call('resendFailed', input)).status).toBe(201)
  const second = await owner.call('resendFailed', input)
  expect([second.status, second.body.error.code]).toEqual([409, 'too_many'])
  expect((await other.call('getResend', { params: here })).body).toEqual({})

  const queued = async () => (await owner.call('getResend', { params: here })).body.latest.queued
  await Promise.all([resendFailedEvents(fixture.ctx), resendFailedEvents(fixture.ctx)])
  expect(await queued()).toBeLessThanOrEqual(2 * resendBounds.eventsPerRun)
  for (let run = 0; run < 3; run += 1) await resendFailedEvents(fixture.ctx)
  expect(await queued()).toBe(count)
  expect((await owner.call('getResend', { params: here })).body.latest.finished_at).toBeDefined()
  await db.execute(sql`delete from webhook_events where tenant_id = ${merchant.tenant_id}`)
})

test('[HOOK-7] the log has URL, event and response, masked for members who may not read claims, and filters', async () => {
  await using receiver = await startMendable()
  await using stack = new AsyncDisposableStack()
  stack.use(fixture.startWorker())
  const merchant = await fixture.tenant()
  const owner = await signIn(fixture, merchant)
  const auditor = await signIn(fixture, { ...merchant, role: 'auditor' })
  const endpoint_id = await createEndpoint(merchant, `${receiver.url}?token=hidden`)
  const id = await fixture.complete(merchant, receiver.url)
  await fixture.waitForAttempts(merchant, 4)
  receiver.mend()
  await fixture.complete(merchant, undefined, { status: 'failed' })
  await fixture.waitForAttempts(merchant, 5)
  const list = async (query: Record<string, string>, as = owner) =>
    (await as.call('listDeliveries', { params: here, query })).body.data

  expect(await list({})).toHaveLength(3)
  expect(await list({ endpoint_id })).toHaveLength(2)
  expect(await list({ endpoint_id: 'session' })).toMatchObject([
    {
      url: receiver.url,
      verification_id: id,
      attempt: 2,
      state: 'exhausted',
      attempts: [{ attempt: 2, status: 500 }, { attempt: 1 }],
    },
  ])
  expect(await list({ event_type: 'verification.failed' })).toMatchObject([{ outcome: 'delivered' }])
  expect(await list({ endpoint_id, outcome: 'unsuccessful' })).toMatchObject([
    {
      event_type: 'verification.completed',
      url: `${receiver.url}?token=hidden`,
      status: 500,
      attempts: [{}, {}],
    },
  ])
  expect(await list({ after: new Date(Date.now() + 60_000).toISOString() })).toEqual([])
  expect(JSON.stringify(await list({}, auditor))).not.toContain('hidden')
  const listed = await auditor.call('listWebhookEndpoints', { params: here })
  expect(listed.body.data).toMatchObject([{ url: `${receiver.url}?…` }])

  const detail = { params: { ...here, id, attempt: '1' }, query: { endpoint_id } }
  const revealed = await owner.call('revealPayload', {
    params: { ...here, id },
    query: { endpoint_id, attempt: '1' },
  })
  expect(revealed.body.response_body).toBe('<b>no</b> such order')
  expect((await owner.call('getDelivery', detail)).text).not.toContain('such order')
  expect((await owner.call('getDelivery', detail)).body).toMatchObject({
    has_response: true,
    state: 'exhausted',
    delivery: { endpoint_id },
  })
  const seen = await auditor.call('getDelivery', detail)
  expect(seen.status).toBe(200)
  expect(seen.text).not.toContain('such order')
  expect(seen.text).not.toContain('hidden')
  const again = { params: { ...here, id }, query: { endpoint_id } }
  expect((await owner.call('resendWebhook', again)).status).toBe(200)
  await fixture.waitForAttempts(merchant, 6)
  await merchant.patch(`/v1/webhook_endpoints/${endpoint_id}`, { enabled: false })
  expect((await owner.call('resendWebhook', again)).body.error.message).toBe(
    'This endpoint is disabled or was deleted.',
  )
})

test('[HOOK-7] a response is kept no longer than the result', async () => {
  await using receiver = await startMendable()
  await using stack = new AsyncDisposableStack()
  stack.use(fixture.startWorker())
  const merchant = await fixture.tenant()
  await setPolicies(fixture.ctx, { tenant_id: merchant.tenant_id, retention_days: 3 })
  const id = await fixture.complete(merchant, receiver.url)
  await fixture.waitForAttempts(merchant, 1)
  const rows = await fixture.ctx.db.query<{ kept: boolean }>(sql`
    select until_day = least(s.purge_day, service_day() + 31) as kept
    from webhook_responses r join verification_sessions s on s.id = r.verification_id
    where r.verification_id = ${id}`)
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.filter(({ kept }) => !kept)).toEqual([])
})
