import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type Merchant, type Service } from '../../test/service.ts'
import { signIn } from '../../test/sign-in/browser.ts'
import { openWallet } from '../../test/wallet.ts'
import { sql } from '../engine/db/sql.ts'
import { readTemplate } from '../templates/list-templates.ts'
import { putTemplate } from '../templates/put-template.ts'
import { pairDevice, till } from '../../test/pair-device.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

test('[DEV-1] [DEV-2] [DEV-7] a registered device is pending, with a well-formed code that is shown once', async () => {
  const merchant = await service.tenant()

  const { status, body } = await merchant.post('/v1/devices', { ...till, pairing_ttl_seconds: 60 })

  expect(status).toBe(201)
  expect(body.pairing_code).toMatch(/^VD-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/)
  expect(body.device).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    ...till,
    status: 'pending',
    created_at: expect.any(String),
    pairing_expires_at: expect.any(String),
  })
  expect(Date.parse(body.device.pairing_expires_at) - Date.parse(body.device.created_at)).toBe(60_000)
  expect((await merchant.get('/v1/devices')).text).not.toContain(body.pairing_code)
  for (const wrong of [
    { ...till, name: '' },
    { ...till, name: 'n'.repeat(65) },
    { ...till, allowed_templates: [] },
    { ...till, allowed_templates: Array.from({ length: 21 }, () => 'a') },
    { ...till, allowed_templates: [''] },
    { ...till, pairing_ttl_seconds: 59 },
    { ...till, pairing_ttl_seconds: 86_401 },
    { ...till, other: 1 },
    {},
  ]) {
    expect((await merchant.post('/v1/devices', wrong)).status).toBe(400)
  }
})

test('[DEV-3] [DEV-4] devices are listed newest first, can be revoked for good, and are invisible to other tenants', async () => {
  await using own = await startService()
  const merchant = await own.tenant()
  const other = await own.tenant()
  const live = await merchant.as({ environment: 'live' })
  const ids: string[] = []
  for (const name of ['a', 'b', 'c'])
    ids.unshift((await merchant.post('/v1/devices', { ...till, name })).body.device.id)

  expect((await merchant.get('/v1/devices')).body.data.map(({ id }: { id: string }) => id)).toEqual(ids)
  expect((await other.get('/v1/devices')).body.data).toEqual([])
  expect((await live.get('/v1/devices')).body.data).toEqual([])
  const unknowns = [
    await other.delete(`/v1/devices/${ids[0]}`),
    await live.delete(`/v1/devices/${ids[0]}`),
    await merchant.delete(`/v1/devices/${randomUUID()}`),
    await merchant.delete('/v1/devices/not-a-uuid'),
  ]
  expect(new Set(unknowns.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect([unknowns[0]?.status, unknowns[0]?.body.error.code]).toEqual([404, 'device_not_found'])
  const first = await merchant.delete(`/v1/devices/${ids[0]}`)
  const again = await merchant.delete(`/v1/devices/${ids[0]}`)
  expect([first.status, first.body.status, first.body.revoked_at]).toEqual([
    200,
    'revoked',
    expect.any(String),
  ])
  expect(again.text).toBe(first.text)
})

test('[TOKEN-4] [TOKEN-5] a device creates with its templates, reads its own verifications, and can do nothing else', async () => {
  const merchant = await service.tenant()
  const { device, id } = await pairDevice(service, merchant)
  const other = await pairDevice(service, merchant)

  const made = await device.post('/v1/verifications', {
    template: 'age_over_18',
    redirect_url: 'https://shop.example/',
  })
  expect(made.status).toBe(201)
  const theirs = (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body.id
  expect((await device.get(`/v1/verifications/${made.body.id}`)).status).toBe(200)
  expect((await other.device.get(`/v1/verifications/${made.body.id}`)).status).toBe(404)
  expect((await device.get(`/v1/verifications/${theirs}`)).status).toBe(404)
  expect(
    (await device.get('/v1/verifications')).body.data.map(({ id: each }: { id: string }) => each),
  ).toEqual([made.body.id])
  expect((await merchant.get(`/v1/verifications/${made.body.id}`)).status).toBe(200)
  for (const refused of [
    await device.post('/v1/verifications', { template: 'age_over_21' }),
    await device.post('/v1/verifications', { query: { credentials: [{}] } }),
    await device.get('/v1/usage'),
    await device.get('/v1/devices'),
    await device.delete(`/v1/verifications/${made.body.id}`),
    await device.delete(`/v1/devices/${id}`),
  ]) {
    expect([refused.status, refused.body.error.code]).toEqual([403, 'insufficient_scope'])
  }
  const wallet = await openWallet(service.ctx, service.address)
  const responded = await wallet.respond(made.body.wallet_uri)
  const code = responded.sent ? JSON.parse(responded.body).redirect_uri.split('response_code=')[1] : ''
  expect(
    (await other.device.post(`/v1/verifications/${made.body.id}/redeem`, { response_code: code })).status,
  ).toBe(404)
  expect(
    (await device.post(`/v1/verifications/${made.body.id}/redeem`, { response_code: code })).status,
  ).toBe(200)
  const [entry] = await service.ctx.db.query(sql`
    select actor, actor_name from audit_inbox where action = 'verification.created' and subject = ${made.body.id}`)
  expect(entry).toEqual({ actor: `device:${id}`, actor_name: 'Till 7' })
})

test('a device with an unknown template is refused, and one whose template is missing now is told so', async () => {
  await using own = await startService()
  const merchant = await own.tenant()
  const stranger = await own.tenant()
  const template = await readTemplate(own.ctx, merchant.tenant_id, 'age_over_18')
  const put = () =>
    putTemplate(own.ctx, {
      by: { kind: 'operator', tenant_id: merchant.tenant_id },
      key: 'club_entry',
      template,
    })
  const register = (who: Merchant) =>
    who.post('/v1/devices', { ...till, allowed_templates: ['age_over_18', 'club_entry'] })

  const before = await register(merchant)
  expect([before.status, before.body.error.code]).toEqual([422, 'unknown_template'])
  expect(before.body.error.message).toContain('There is no template club_entry.')
  await put()
  expect((await register(merchant)).status).toBe(201)
  expect((await register(stranger)).status).toBe(422)
  const misspelt = await merchant.post('/v1/devices', { ...till, allowed_templates: ['club_entri'] })
  expect(misspelt.body.error.message).toContain('Did you mean club_entry?')
  const member = await signIn(own, { ...merchant, role: 'developer' })
  const offered = await member.call('registerDevice', {
    params: { environment: 'test' },
    body: { ...till, allowed_templates: ['nothing_like_it'] },
  })
  expect([offered.status, offered.body.error.code]).toEqual([422, 'unknown_template'])
  expect((await merchant.get('/v1/devices')).body.data).toHaveLength(1)

  // A device of an earlier version may have a template that does not exist.
  const { device, id } = await pairDevice(own, merchant)
  await own.ctx.db.execute(sql`update devices set allowed_templates = '{gone}' where id = ${id}`)
  const { status, body } = await device.post('/v1/verifications', { template: 'gone' })
  expect([status, body.error.code]).toEqual([422, 'unknown_template'])
})
