import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type Service } from '../../../test/service.ts'
import { newVerification } from '../../../test/verification.ts'
import { openWallet, type WalletOptions } from '../../../test/wallet.ts'
import { setPolicies } from '../../accounts/tenants/tenant-settings.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const declines: WalletOptions = { behaviour: 'declines' }

const phase = async (id: string) => (await service.anonymous.get(`/verify/${id}/session`)).body

test('[ATTEMPT-1] a response that failed leaves the verification open, as often as it says, and the last one is recorded', async () => {
  const { id, respond, read } = await newVerification(service, { template: 'age_over_18', max_attempts: 3 })
  expect(await phase(id)).not.toHaveProperty('attempt')

  expect(await respond(declines)).toEqual({ status: 200, body: {} })
  expect((await read()).status).toBe('pending')
  expect(await phase(id)).toMatchObject({ phase: 'pending', attempt: { outcome: 'declined', left: 2 } })
  await respond(declines)
  expect(await phase(id)).toMatchObject({ phase: 'pending', attempt: { outcome: 'declined', left: 1 } })
  await respond(declines)

  expect(await read()).toMatchObject({ status: 'failed', error: { code: 'holder_declined' } })
  expect(await phase(id)).toMatchObject({ phase: 'declined', attempt: { outcome: 'declined', left: 0 } })
  expect((await respond()).status).toBe(409)
})

test('[ATTEMPT-1] what was accepted is final', async () => {
  const { id, respond, read } = await newVerification(service, { template: 'age_over_18', max_attempts: 3 })
  await respond(declines)
  expect((await respond()).status).toBe(200)

  expect((await read()).status).toBe('completed')
  expect((await respond(declines)).status).toBe(409)
  expect((await phase(id)).phase).toBe('completed')
})

test('a wallet on the same device brings its holder back to the page after a response that failed', async () => {
  const { id, respond } = await newVerification(service, {
    template: 'age_over_18',
    max_attempts: 2,
    redirect_url: 'https://shop.example/back',
  })
  expect((await respond(declines)).body).toEqual({
    redirect_uri: `${service.ctx.config.BASE_URL}/verify/${id}`,
  })
  expect((await respond()).body.redirect_uri).toMatch(/^https:\/\/shop\.example\/back#response_code=/)
})

test.each([
  ['expired', { outcome: 'not_accepted', reason: 'expired', left: 1 }],
  ['revoked', { outcome: 'not_accepted', reason: 'withdrawn', left: 1 }],
  ['untrusted_issuer', { outcome: 'not_accepted', reason: 'unknown_issuer', left: 1 }],
  ['minor', { outcome: 'not_accepted', left: 1 }],
])('[ATTEMPT-2] the holder is told why, unless that would tell a claim: %s', async (persona, attempt) => {
  const { id, respond } = await newVerification(service, { template: 'age_over_18', max_attempts: 2 })
  await respond({ persona })

  expect((await phase(id)).attempt).toEqual(attempt)
})

test('[ATTEMPT-1] a tenant sets the number for verifications that do not say one, and without either there is one', async () => {
  const merchant = await service.tenant()
  const failOnce = async (body: object = {}) => {
    const created = (await merchant.post('/v1/verifications', { template: 'age_over_18', ...body })).body
    await (await openWallet(service.ctx, service.address, { persona: 'minor' })).respond(created.wallet_uri)
    return (await merchant.get(`/v1/verifications/${created.id}`)).body.status
  }
  expect(await failOnce()).toBe('failed')
  await setPolicies(service.ctx, { tenant_id: merchant.tenant_id, max_attempts: 2 })

  expect([await failOnce(), await failOnce({ max_attempts: 1 })]).toEqual(['pending', 'failed'])
  expect(
    (await merchant.post('/v1/verifications', { template: 'age_over_18', max_attempts: 6 })).status,
  ).toBe(400)
})

test('[ATTEMPT-1] where results are held back, the first response is the last: the page would show that one failed', async () => {
  const { merchant, respond, read } = await newVerification(service, {
    template: 'age_over_18',
    max_attempts: 3,
    redirect_url: 'https://shop.example/back',
  })
  await setPolicies(service.ctx, { tenant_id: merchant.tenant_id, hold_back: true })
  await respond(declines)

  expect((await respond()).status).toBe(409)
  expect((await read()).status).toBe('pending')
})
