import type { Format } from '@vidimus/sandbox'
import { expect, test } from 'vitest'
import { readAuditLog } from '../../../test/audit/audit.ts'
import { signIn, type SignedInBrowser } from '../../../test/sign-in/browser.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { openWallet } from '../../../test/wallet.ts'
import { sql } from '../../engine/db/sql.ts'
import { resendWebhook } from '../dashboard/show-webhook.ts'
import { setPolicies } from '../../accounts/tenants/tenant-settings.ts'

const here = { environment: 'test' }

type HoldBackFixture = { service: Service; merchant: Merchant; owner: SignedInBrowser }

async function startHoldBackFixture() {
  const service = await startService()
  const merchant = await service.tenant()
  await setPolicies(service.ctx, { tenant_id: merchant.tenant_id, hold_back: true })
  const owner = await signIn(service, merchant)
  return {
    service,
    merchant,
    owner,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

/** A verification that a persona has responded to, and the code that the redirect carried. */
async function respondAs({ service, merchant }: HoldBackFixture, persona: string, format?: Format) {
  const { body: created } = await merchant.post('/v1/verifications', {
    template: 'age_over_18',
    redirect_url: 'https://shop.example/',
    webhook_url: 'https://8.8.8.8/hook',
  })
  const wallet = await openWallet(service.ctx, service.address, { persona, ...(format && { format }) })
  const responded = await wallet.respond(created.wallet_uri)
  if (!responded.sent) throw new Error(JSON.stringify(responded.violations))
  const { redirect_uri } = JSON.parse(responded.body)
  const id: string = created.id
  return { id, wallet_uri: created.wallet_uri, response_code: redirect_uri.split('response_code=')[1] }
}

/** Everything that the merchant can see of a verification, with ids and times replaced. */
async function readEverything({ service, merchant, owner }: HoldBackFixture, id: string): Promise<string> {
  const { ctx, anonymous: anyone } = service
  const shown = [
    await merchant.get(`/v1/verifications/${id}`),
    await merchant.get('/v1/verifications?limit=1'),
    await anyone.get(`/v1/verifications/${id}/status`),
    await owner.call('listVerifications', { params: here, query: { limit: '1' } }),
    await owner.call('getVerification', { params: { ...here, id } }),
    await owner.call('revealClaims', { params: { ...here, id } }),
  ].map(({ text }) => text)
  const queued = await ctx.db.query(sql`select 1 as found from webhook_events where verification_id = ${id}`)
  const audit = (await readAuditLog(ctx, merchant.tenant_id)).filter(({ subject }) => subject === id)
  return (
    JSON.stringify({ shown, queued, audit })
      .replaceAll(id, 'ID')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replaceAll(/next_before[^,}]*/g, '')
      // Counted with a delay after the fetch.
      .replaceAll(/,\{[^{}]*request_fetched[^{}]*\}/g, '')
  )
}

const cases: [string, Format | undefined][] = [
  ['adult', 'dc+sd-jwt'],
  ['adult', 'mso_mdoc'],
  ['minor', 'dc+sd-jwt'],
  ['minor', 'mso_mdoc'],
  ['declines', undefined],
]

test('[RET-2] nothing reveals the outcome of a held-back verification to the merchant before its code is redeemed', async () => {
  await using fixture = await startHoldBackFixture()
  const views: string[] = []
  for (const [persona, format] of cases) {
    const { id } = await respondAs(fixture, persona, format)
    views.push(await readEverything(fixture, id))
  }

  for (const view of views) expect(view).toBe(views[0])
  expect(views[0]).toContain('pending')
  expect(views[0]).not.toMatch(/completed|failed|responded_at|error|wallet_uri/)
  const { body } = await fixture.owner.call('getFigures', { params: here })
  expect(body.total).toMatchObject({ completed: 0, failed: 0, declined: 0, pending: cases.length })
  expect([body.total.median_seconds, body.top_failures]).toEqual([undefined, []])
})

test('a creation without redirect_url is told that nothing of it is held back', async () => {
  await using fixture = await startHoldBackFixture()
  const create = (more: object, by: Merchant = fixture.merchant) =>
    by.post('/v1/verifications', { template: 'age_over_18', ...more })
  const { status, headers } = await create({})
  expect(status).toBe(201)
  expect(headers.get('x-service-warning')).toMatch(/^redirect_url: missing, so hold_back does not apply/)
  const both = await create({ webhook_url: 'http://8.8.8.8/hook' })
  expect(both.headers.get('x-service-warning')).toMatch(/^webhook_url: http .+; redirect_url: missing/)
  for (const without of [
    await create({ redirect_url: 'https://shop.example/' }),
    await create({}, await fixture.service.tenant()),
  ])
    expect(without.headers.get('x-service-warning')).toBeNull()
})

test('[RET-2] the redemption shows the outcome everywhere, queues the webhook and writes the audit entry', async () => {
  await using fixture = await startHoldBackFixture()
  const { merchant, service } = fixture
  for (const [persona, status] of [
    ['adult', 'completed'],
    ['minor', 'failed'],
  ] as const) {
    const { id, response_code } = await respondAs(fixture, persona)
    const redeemed = await merchant.post(`/v1/verifications/${id}/redeem`, { response_code })

    expect(redeemed.body.status).toBe(status)
    expect(redeemed.body).toEqual((await merchant.get(`/v1/verifications/${id}`)).body)
    expect((await service.anonymous.get(`/v1/verifications/${id}/status`)).body.status).toBe(status)
    expect(
      await service.ctx.db.query(
        sql`select verification_id from webhook_events where verification_id = ${id}`,
      ),
    ).toHaveLength(1)
    const audit = await readAuditLog(service.ctx, merchant.tenant_id)
    expect(audit.filter(({ subject }) => subject === id).map(({ action }) => action)).toEqual([
      'verification.created',
      'verification.responded',
      'verification.redeemed',
      `verification.${status}`,
    ])
  }
})

test('[RET-2] a held-back verification expires with its code, five minutes after the response at the earliest', async () => {
  await using fixture = await startHoldBackFixture()
  const { merchant, service } = fixture
  const late = await respondAs(fixture, 'adult')
  const never = await respondAs(fixture, 'adult')
  const redeem = ({ id, response_code }: { id: string; response_code: string }) =>
    merchant.post(`/v1/verifications/${id}/redeem`, { response_code })
  const statusOf = async ({ id }: { id: string }) =>
    (await service.anonymous.get(`/v1/verifications/${id}/status`)).body.status

  // Verifications last five minutes by default, so both have a minute left.
  await setClockOffset(service.ctx.db, '4 minutes')
  expect((await redeem(late)).body.status).toBe('completed')
  await setClockOffset(service.ctx.db, '1 hour')
  expect(await statusOf(never)).toBe('expired')
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  await expect(resendWebhook(service.ctx, { by, environment: 'test', id: never.id })).rejects.toThrow(
    'no result to send',
  )
  const refused = await redeem(never)
  expect([refused.status, refused.body.error.code]).toEqual([404, 'invalid_response_code'])
  expect(await statusOf(never)).toBe('expired')
  expect(await statusOf(late)).toBe('completed')
})
