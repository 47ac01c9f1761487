import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAuditLog } from '../../test/audit/audit.ts'
import { caller } from '../../test/caller.ts'
import { setClockOffset } from '../../test/database/clock.ts'
import { pairDevice, till } from '../../test/pair-device.ts'
import { startService, type Service } from '../../test/service.ts'
import { signIn } from '../../test/sign-in/browser.ts'
import { setPlan } from '../accounts/plans/plans.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

test('a device is renamed and gets other templates; both apply from its next request on', async () => {
  const merchant = await service.tenant()
  const { id, device } = await pairDevice(service, merchant)
  const create = (template: string) => device.post('/v1/verifications', { template })
  expect([(await create('age_over_18')).status, (await create('age_over_21')).status]).toEqual([201, 403])

  const renamed = await merchant.request('PATCH', `/v1/devices/${id}`, { body: { name: 'Bar' } })
  expect([renamed.status, renamed.body]).toMatchObject([
    200,
    { id, name: 'Bar', status: 'active', allowed_templates: ['age_over_18'] },
  ])
  const changed = await merchant.request('PATCH', `/v1/devices/${id}`, {
    body: { allowed_templates: ['age_over_21'] },
  })
  expect(changed.body).toMatchObject({ name: 'Bar', allowed_templates: ['age_over_21'] })
  expect([(await create('age_over_18')).status, (await create('age_over_21')).status]).toEqual([403, 201])

  const entries = (await readAuditLog(service.ctx, merchant.tenant_id)).filter(
    ({ action }) => action === 'device.changed',
  )
  expect(entries).toMatchObject([
    { subject: id, detail: { renamed: true } },
    { subject: id, detail: { renamed: false, allowed_templates: ['age_over_21'] } },
  ])
})

test('what is wrong, revoked or not the caller’s is refused and changes nothing', async () => {
  const merchant = await service.tenant()
  const other = await service.tenant()
  const { id } = await pairDevice(service, merchant)
  const change = (body: unknown, by = merchant, at = id) => by.request('PATCH', `/v1/devices/${at}`, { body })
  const wrong = [{}, { name: '' }, { name: 'x'.repeat(65) }, { allowed_templates: [] }, { status: 'active' }]
  for (const body of wrong) expect((await change(body)).status).toBe(400)
  expect((await change({ name: 'x' }, other)).body.error?.code).toBe('device_not_found')
  expect((await change({ name: 'x' }, merchant, 'x')).body.error?.code).toBe('device_not_found')
  const reader = await merchant.as({ scopes: ['verifications:read'] })
  expect((await reader.request('PATCH', `/v1/devices/${id}`, { body: { name: 'x' } })).status).toBe(403)
  await merchant.delete(`/v1/devices/${id}`)
  expect((await change({ name: 'x' })).body.error?.code).toBe('device_revoked')
  const renew = await merchant.post(`/v1/devices/${id}/pairing-code`, {})
  expect(renew.body.error?.code).toBe('device_revoked')
  const [device] = (await merchant.get('/v1/devices')).body.data
  expect(device).toMatchObject({ name: till.name, status: 'revoked' })
})

test('a new pairing code ends every token of the device, also once it is paired again', async () => {
  const merchant = await service.tenant()
  const { id, pairing_code: firstCode, tokens, device } = await pairDevice(service, merchant)
  const refresh = (refresh_token: string) => service.anonymous.post('/v1/devices/token', { refresh_token })
  const enroll = (pairing_code: string) => service.anonymous.post('/v1/devices/enroll', { pairing_code })

  const renewed = await merchant.post(`/v1/devices/${id}/pairing-code`, { pairing_ttl_seconds: 60 })

  expect(renewed.status).toBe(201)
  expect(renewed.body.device).toMatchObject({ id, name: till.name, status: 'pending' })
  expect(renewed.body.device).not.toHaveProperty('enrolled_at')
  expect(renewed.body.pairing_code).not.toBe(firstCode)
  expect((await device.get('/v1/verifications')).body.error?.code).toBe('invalid_api_key')
  expect((await refresh(tokens.refresh_token)).body.error?.code).toBe('invalid_refresh_token')
  expect((await enroll(firstCode)).body.error?.code).toBe('invalid_pairing_code')

  const paired = await enroll(renewed.body.pairing_code)
  expect(paired.status).toBe(200)
  const again = caller(service.address, paired.body.access_token)
  expect((await again.get('/v1/verifications')).status).toBe(200)
  expect((await device.get('/v1/verifications')).body.error?.code).toBe('invalid_api_key')
  // A tablet that was replaced may still refresh: it is refused, and does not revoke the device.
  expect((await refresh(tokens.refresh_token)).body.error?.code).toBe('invalid_refresh_token')
  expect((await again.get('/v1/verifications')).status).toBe(200)
  const next = await refresh(paired.body.refresh_token)
  expect(next.status).toBe(200)
  // A token of the new pairing that is used twice does.
  expect((await refresh(paired.body.refresh_token)).status).toBe(400)
  expect((await caller(service.address, next.body.access_token).get('/v1/verifications')).status).toBe(401)

  const actions = (await readAuditLog(service.ctx, merchant.tenant_id)).map(({ action }) => action)
  expect(actions).toEqual(expect.arrayContaining(['device.pairing_renewed', 'device.enrolled']))
})

test('however a new code, a refresh and a pairing interleave, no old token works afterwards', async () => {
  const merchant = await service.tenant()
  const rounds = 20
  for (let round = 0; round < rounds; round += 1) {
    const { id, tokens } = await pairDevice(service, merchant)
    const [renewed, refreshed] = await Promise.all([
      merchant.post(`/v1/devices/${id}/pairing-code`, {}),
      service.anonymous.post('/v1/devices/token', { refresh_token: tokens.refresh_token }),
    ])
    expect(renewed.status).toBe(201)
    const enrolled = await service.anonymous.post('/v1/devices/enroll', {
      pairing_code: renewed.body.pairing_code,
    })
    expect(enrolled.status).toBe(200)
    const old = [tokens.access_token, refreshed.body.access_token].filter((token) => token !== undefined)
    const responses = await Promise.all(
      old.map((token: string) => caller(service.address, token).get('/v1/verifications')),
    )
    expect(responses.map(({ status }) => status)).toEqual(old.map(() => 401))
    const current = caller(service.address, enrolled.body.access_token)
    expect((await current.get('/v1/verifications')).status).toBe(200)
  }
})

test('of two new codes at once only the last works, and one for a expired device counts against the plan', async () => {
  await using own = await startService()
  await setPlan(own.ctx, { name: 'starter', devices: 1 })
  const merchant = await own.tenant()
  const owner = await signIn(own, merchant)
  const { device } = (await merchant.post('/v1/devices', till)).body
  const renew = () =>
    owner.call('renewPairingCode', { params: { environment: 'test', id: device.id }, body: {} })
  const offers = await Promise.all([renew(), renew()])
  expect(offers.map(({ status }) => status)).toEqual([201, 201])
  expect(offers[0]?.body.pairing_url).toContain(`/till#${offers[0]?.body.pairing_code}`)
  const paired = await Promise.all(
    offers.map(({ body }) => own.anonymous.post('/v1/devices/enroll', { pairing_code: body.pairing_code })),
  )
  expect(paired.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])

  await renew()
  await setClockOffset(own.ctx.db, '1 day')
  const later = await signIn(own, { ...merchant, email: 'later@example.com' })
  expect((await merchant.post('/v1/devices', till)).status).toBe(201)
  const expired = await later.call('renewPairingCode', {
    params: { environment: 'test', id: device.id },
    body: {},
  })
  expect(expired.body.error?.code).toBe('quota_exceeded')
})
