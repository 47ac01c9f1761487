import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn } from '../../../test/sign-in/browser.ts'
import { startService, type Service } from '../../../test/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const plain = { template: 'age_over_18' }

test('[CREATE-9] a webhook_url that cannot be public is refused, and nothing is counted', async () => {
  const merchant = await service.tenant()

  for (const webhook_url of [
    'http://127.0.0.1/x',
    'http://localhost/x',
    'http://a.localhost./x',
    'http://[::1]/',
    'http://10.1.2.3/',
    'ftp://example.com/',
    'http://169.254.169.254/',
    'https://93.184.215.14:25/',
  ]) {
    const { status, body } = await merchant.post('/v1/verifications', { ...plain, webhook_url })
    expect([webhook_url, status, body.error?.code]).toEqual([webhook_url, 422, 'invalid_webhook_url'])
  }
  for (const webhook_url of ['not a url', '', '//x', 7]) {
    const { status, body } = await merchant.post('/v1/verifications', { ...plain, webhook_url })
    expect([webhook_url, status, body.error?.code]).toEqual([webhook_url, 400, 'invalid_request'])
  }
  expect((await merchant.get('/v1/usage')).body.verifications_created).toBe(0)
})

test('a webhook_url whose host does not resolve yet is accepted', async () => {
  const merchant = await service.tenant()

  const { status } = await merchant.post('/v1/verifications', {
    ...plain,
    webhook_url: 'https://no-such-host.invalid/hook',
  })

  expect(status).toBe(201)
})

test('a webhook_url with a user name or password is refused; support and auditors see no query strings', async () => {
  await using own = await startService()
  const merchant = await own.tenant()
  for (const user of ['ann:secret@', 'ann@', ':secret@']) {
    const webhook_url = `https://${user}receiver.example.com/hook`
    const { status, body } = await merchant.post('/v1/verifications', { ...plain, webhook_url })
    expect([status, body.error?.code]).toEqual([422, 'invalid_webhook_url'])
    expect(body.error.message).not.toContain('secret')
  }
  const webhook_url = 'https://receiver.example.com/hook?token=t0ken'
  const redirect_url = 'https://shop.example/back?cart=c4rt'
  const { body } = await merchant.post('/v1/verifications', { ...plain, webhook_url, redirect_url })
  const seen = async (role: 'developer' | 'support' | 'auditor') => {
    const member = await signIn(own, { ...merchant, role })
    return (await member.call('getVerification', { params: { environment: 'test', id: body.id } })).text
  }
  expect(await seen('developer')).toMatch(/t0ken.*c4rt|c4rt.*t0ken/)
  expect(`${await seen('support')}${await seen('auditor')}`).not.toMatch(/t0ken|c4rt/)
})

test('[CREATE-11] redirect_url may lead to the web or an app, never to a script or a file', async () => {
  const merchant = await service.tenant()
  const status = async (redirect_url: unknown) =>
    (await merchant.post('/v1/verifications', { ...plain, redirect_url })).status

  for (const fine of [
    'https://shop.example/',
    'http://shop.example/',
    'com.example.app:/done',
    'com.example.app://done',
  ]) {
    expect([fine, await status(fine)]).toEqual([fine, 201])
  }
  for (const bad of [
    'javascript:alert(1)',
    'av://?client_id=x',
    'haip-vp://?client_id=x',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:x',
    'relative',
    '',
    7,
    'https://shop.example/#done',
    'https://shop.example/#',
    'com.example.app://done#x',
    'myapp://done',
    'zoommtg://zoom.us/join',
    'x-safari-https://shop.example/',
    'https://shop.example\\@evil.example/',
  ]) {
    expect([bad, await status(bad)]).toEqual([bad, 400])
  }
  const { body } = await merchant.post('/v1/verifications', {
    ...plain,
    redirect_url: 'https://shop.example/#done',
  })
  expect(body.error.message).toBe(
    `redirect_url: must not have a fragment (#…), because the response code is sent in it. See ${service.ctx.config.BASE_URL}/docs/errors#invalid_request`,
  )
})

test('a webhook_url over plain http is accepted with a warning, also when the request is repeated', async () => {
  const merchant = await service.tenant()
  const create = (body: object) =>
    merchant.post('/v1/verifications', body, {
      headers: { 'idempotency-key': JSON.stringify(body).length.toString() },
    })

  const http = { ...plain, webhook_url: 'http://93.184.215.14/hook' }
  for (const { status, headers } of [await create(http), await create(http)])
    expect([status, headers.get('x-service-warning')]).toEqual([
      201,
      'webhook_url: http is not encrypted, so anyone on the way can read the claims: use https',
    ])
  const both = await create({ query: { credentials: [{}] }, webhook_url: http.webhook_url })
  expect(both.headers.get('x-service-warning')).toMatch(/^webhook_url: .+; query\.credentials\[0\]/)
  const https = await create({ ...plain, webhook_url: 'https://93.184.215.14/hook' })
  expect([https.status, https.headers.get('x-service-warning')]).toEqual([201, null])
})
