import { faults, personas } from '@vidimus/sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type Merchant, type Service } from '../../../test/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const form = { 'content-type': 'application/x-www-form-urlencoded' }

async function submit(running: Service, fields: Record<string, string>) {
  return running.anonymous.request('POST', '/sandbox/wallet', {
    headers: form,
    raw: new URLSearchParams(fields).toString(),
  })
}

async function createVerification(merchant: Merchant): Promise<{ id: string; wallet_uri: string }> {
  return (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body
}

test('the page responds to a verification as the chosen persona, without scripts or external resources', async () => {
  const merchant = await service.tenant()
  const { id, wallet_uri } = await createVerification(merchant)
  const page = await service.anonymous.get(`/sandbox/wallet?wallet_uri=${encodeURIComponent(wallet_uri)}`)
  const first = await submit(service, { wallet_uri, persona: 'minor', fault: '', format: '' })
  const again = await submit(service, { wallet_uri, persona: 'adult', fault: '', format: '' })

  expect(page.headers.get('content-security-policy')).toContain("form-action 'self'")
  expect(page.text).not.toMatch(/<script|\ssrc=/)
  for (const { name } of [...personas.filter((each) => each.name !== 'responds_late'), ...faults])
    expect(page.text).toContain(`value="${name}"`)
  expect(first.text).toContain('The verification is failed')
  expect(again.text).toContain('A wallet has already responded to this verification.')
  const { body } = await merchant.get(`/v1/verifications/${id}`)
  expect(body).toMatchObject({ status: 'failed', error: { code: 'requirement_not_met' } })
})

test('a program gets the same as JSON; a fault fails its check', async () => {
  const merchant = await service.tenant()
  const good = await createVerification(merchant)
  const bad = await createVerification(merchant)
  const { anonymous: anyone } = service

  expect((await anyone.post('/sandbox/responses', { wallet_uri: good.wallet_uri })).body).toMatchObject({
    status: 'completed',
    http_status: 200,
  })
  const faulty = { wallet_uri: bad.wallet_uri, fault: 'kb_nonce', format: 'dc+sd-jwt' }
  expect((await anyone.post('/sandbox/responses', faulty)).body).toMatchObject({ status: 'failed' })
  const { values } = await service.ctx.metrics.requestDuration.get()
  const fromWallet = values.filter(({ labels }) => labels.http_route?.toString().startsWith('/wallet/'))
  expect(new Set(fromWallet.map(({ labels }) => labels.http_response_status_code))).toEqual(new Set([200]))
  const { body } = await merchant.get(`/v1/verifications/${bad.id}`)
  expect(body.error.code).toBe('holder_binding_invalid')
})

test('it responds only to this installation’s test environment and sends no request elsewhere', async () => {
  await using own = await startService()
  const live = await own.tenant({ environment: 'live' })
  const { id, wallet_uri } = await createVerification(live)
  const respond = (uri: string, more: object = {}) =>
    own.anonymous.post('/sandbox/responses', { wallet_uri: uri, ...more })
  const elsewhere = (uri: string) => `openid4vp://?client_id=a&request_uri=${encodeURIComponent(uri)}`
  const { BASE_URL } = own.ctx.config

  expect((await respond(wallet_uri)).body.error.message).toContain(
    'only to verifications of the test environment',
  )
  expect((await live.get(`/v1/verifications/${id}`)).body.status).toBe('pending')
  for (const uri of [
    elsewhere(`https://169.254.169.254/wallet/request/${id}`),
    elsewhere(`${BASE_URL}@evil.example/wallet/request/${id}`),
    elsewhere(`${BASE_URL}/wallet/request/../../v1/usage`),
    elsewhere(`${BASE_URL}/healthz`),
    'nothing',
    '',
  ])
    expect((await respond(uri)).status).toBe(400)
  expect((await respond(elsewhere(`${BASE_URL}/wallet/request/vs_none`))).status).toBe(404)
  expect((await respond(wallet_uri, { persona: 'nobody' })).status).toBe(400)
  expect((await respond(wallet_uri, { persona: 'responds_late' })).status).toBe(400)
  expect((await submit(own, { wallet_uri: '"><script>x</script>' })).text).not.toContain('<script>')
})

test('its routes do not exist where the sandbox is off', async () => {
  await using own = await startService({ environment: { SANDBOX: 'off' } })

  for (const [method, path] of [
    ['GET', '/sandbox/wallet'],
    ['POST', '/sandbox/wallet'],
    ['POST', '/sandbox/responses'],
  ] as const)
    expect((await own.anonymous.request(method, path)).body.error.code).toBe('not_found')
})
