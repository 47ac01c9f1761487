import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { caller } from '../../test/caller.ts'
import { setClockOffset } from '../../test/database/clock.ts'
import { startService, type Merchant, type Service } from '../../test/service.ts'
import { openWallet } from '../../test/wallet.ts'
import { sweepGuesses } from './pairing/sweep-guesses.ts'
import { sql } from '../platform/db/sql.ts'

const till = { name: 'Till 7', allowed_templates: ['age_over_18'] }

async function pair(
  service: Pick<Service, 'anonymous'> & { address: string },
  merchant: Merchant,
  device: object = till,
) {
  const registered = (await merchant.post('/v1/devices', device)).body
  const { body } = await service.anonymous.post('/v1/devices/enroll', {
    pairing_code: registered.pairing_code,
  })
  return {
    ...registered,
    tokens: body,
    device: caller(service.address, body.access_token),
    id: body.device.id,
  }
}

test('[DEV-1] [DEV-2] [DEV-7] a registered device is pending, with a well-formed code that is shown once', async () => {
  await using service = await startService()
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
  await using service = await startService()
  const merchant = await service.tenant()
  const other = await service.tenant()
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

test('[ENROLL-1] [TOKEN-1] a code works in any spelling and yields a token pair', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  for (const spell of [
    (code: string) => code.toLowerCase(),
    (code: string) => code.replaceAll('-', ''),
    (code: string) => code.replace('VD-', ''),
    (code: string) => ` ${code.replaceAll('-', ' ')} `,
    (code: string) => code.replaceAll('0', 'o').replaceAll('1', 'l'),
  ]) {
    const { pairing_code } = (await merchant.post('/v1/devices', till)).body
    const { status, body } = await service.anonymous.post('/v1/devices/enroll', {
      pairing_code: spell(pairing_code),
    })

    expect([spell(pairing_code), status]).toEqual([spell(pairing_code), 200])
    expect(body).toMatchObject({
      access_token: expect.stringMatching(/^vd_/),
      refresh_token: expect.stringMatching(/^vdr_/),
      token_type: 'Bearer',
      expires_in: 900,
      refresh_expires_in: 2_592_000,
      device: { ...till, status: 'active', enrolled_at: expect.any(String) },
    })
    expect(body.device).not.toHaveProperty('pairing_expires_at')
  }
})

test('[ENROLL-2] [ENROLL-4] wrong, used, expired and revoked codes get the same 400', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const enroll = (pairing_code: string) => service.anonymous.post('/v1/devices/enroll', { pairing_code })
  const spent = (await merchant.post('/v1/devices', till)).body.pairing_code
  await enroll(spent)
  const revoked = (await merchant.post('/v1/devices', till)).body
  await merchant.delete(`/v1/devices/${revoked.device.id}`)
  const lapsed = (await merchant.post('/v1/devices', { ...till, pairing_ttl_seconds: 60 })).body
  await setClockOffset(service.ctx.db, '60 seconds')

  const responses = [
    await enroll('VD-0000-0000'),
    await enroll('x'),
    await enroll(spent),
    await enroll(revoked.pairing_code),
    await enroll(lapsed.pairing_code),
  ]

  expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect([responses[0]?.status, responses[0]?.body.error.code]).toEqual([400, 'invalid_pairing_code'])
  const [newest] = (await merchant.get('/v1/devices')).body.data
  expect(newest).toMatchObject({ id: lapsed.device.id, status: 'pending' })
  expect((await merchant.delete(`/v1/devices/${lapsed.device.id}`)).body.status).toBe('revoked')
})

test('[ENROLL-5] guesses are limited per address, and an expired or used code is not a guess', async () => {
  await using service = await startService({
    environment: { RATE_LIMITS: 'key=99999/60,ip=99999/60,session=99999/60' },
  })
  const merchant = await service.tenant()
  const { pairing_code } = (await merchant.post('/v1/devices', till)).body
  const enroll = (code: string) => service.anonymous.post('/v1/devices/enroll', { pairing_code: code })
  await enroll(pairing_code)

  const statuses = async (count: number, code: () => string) =>
    Promise.all(Array.from({ length: count }, async () => (await enroll(code())).status))
  expect(new Set(await statuses(60, () => pairing_code))).toEqual(new Set([400]))
  const guessed = await statuses(60, () => randomUUID().slice(0, 8))
  expect(guessed.filter((status) => status === 400)).toHaveLength(50)
  expect(guessed.filter((status) => status === 429)).toHaveLength(10)
  await setClockOffset(service.ctx.db, '1 hour')
  const later = await statuses(12, () => randomUUID().slice(0, 8))
  expect(later.filter((status) => status === 400)).toHaveLength(10)
})

test('[ENROLL-6] guesses are also limited per IPv6 /48, and old counters are deleted', async () => {
  await using service = await startService({
    environment: {
      RATE_LIMITS: 'key=99999/60,ip=99999/60,session=99999/60',
      TRUSTED_PROXIES: '127.0.0.0/8',
    },
  })
  const { db } = service.ctx
  const guess = (from: string) =>
    service.anonymous.post(
      '/v1/devices/enroll',
      { pairing_code: randomUUID().slice(0, 8) },
      { headers: { 'x-forwarded-for': from } },
    )
  const statuses: number[] = []
  for (let network = 0; network < 5; network += 1) {
    for (let count = 0; count < 45; count += 1) {
      statuses.push((await guess(`2001:db8:1:${network.toString(16)}::${count}`)).status)
    }
  }
  expect(statuses.filter((status) => status === 400)).toHaveLength(200)
  expect(statuses.filter((status) => status === 429)).toHaveLength(25)
  expect((await guess('2001:db8:2::1')).status).toBe(400)

  const counters = async () => (await db.query(sql`select address from pairing_guesses`)).length
  expect(await counters()).toBe(9)
  await setClockOffset(db, '25 hours')
  await guess('2001:db8:3::1')
  await sweepGuesses(service.ctx)
  expect(await counters()).toBe(3)
})

test('[ENROLL-7] beyond the service-wide limit only addresses with a wrong guess are refused', async () => {
  await using service = await startService({
    environment: { RATE_LIMITS: 'key=99999/60,ip=99999/60,session=99999/60', TRUSTED_PROXIES: '127.0.0.0/8' },
  })
  const merchant = await service.tenant()
  const enroll = async (pairing_code: string, from: string) =>
    (
      await service.anonymous.post(
        '/v1/devices/enroll',
        { pairing_code },
        { headers: { 'x-forwarded-for': from } },
      )
    ).status
  const code = async () => (await merchant.post('/v1/devices', till)).body.pairing_code
  expect(await enroll('AAAA-AAAA', '192.0.2.1')).toBe(400)
  await service.ctx.db.execute(sql`
    update pairing_guesses set room = 0, updated_at = service_now() + interval '1 hour' where address = 'everyone'`)
  expect(await enroll('AAAA-AAAB', '192.0.2.1')).toBe(429)
  expect(await enroll(await code(), '192.0.2.1')).toBe(429)
  expect(await enroll(await code(), '192.0.2.2')).toBe(200)
  expect(await enroll(await code(), '192.0.2.2')).toBe(200)
  expect(await enroll('AAAA-AAAC', '192.0.2.3')).toBe(400)
  expect(await enroll('AAAA-AAAD', '192.0.2.3')).toBe(429)
})

test('[TOKEN-4] [TOKEN-5] [TOKEN-7] a device creates with its templates, reads its own verifications, and can do nothing else', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const { device, id } = await pair(service, merchant)
  const other = await pair(service, merchant)

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
  const code = responded.answered ? JSON.parse(responded.body).redirect_uri.split('response_code=')[1] : ''
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

test('[DEV-6] a device can name a template that does not exist yet, which is unknown_template until it does', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const { device } = await pair(service, merchant, { ...till, allowed_templates: ['later'] })

  expect((await device.post('/v1/verifications', { template: 'later' })).body.error.code).toBe(
    'unknown_template',
  )
})

test('[TOKEN-6] an expired access token is reported as expired, an unknown or revoked one as invalid', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const { device, tokens, id } = await pair(service, merchant)
  const forged = caller(
    service.address,
    `${tokens.access_token.slice(0, -1)}${tokens.access_token.endsWith('A') ? 'B' : 'A'}`,
  )
  const outcome = async (who = device) => {
    const { status, body } = await who.get('/v1/verifications')
    return [status, body.error?.code]
  }

  expect(await outcome()).toEqual([200, undefined])
  expect(await outcome(forged)).toEqual([401, 'invalid_api_key'])
  await setClockOffset(service.ctx.db, '900 seconds')
  expect(await outcome()).toEqual([401, 'api_key_expired'])
  await merchant.delete(`/v1/devices/${id}`)
  expect(await outcome()).toEqual([401, 'invalid_api_key'])
})

test('[TOKEN-1] [TOKEN-2] a refresh token works once; a used one of any generation revokes the device', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const refresh = (refresh_token: string) => service.anonymous.post('/v1/devices/token', { refresh_token })
  const rotations = 20

  for (const replayed of [0, 10, rotations - 1]) {
    const { tokens, id } = await pair(service, merchant)
    const issued = [tokens]
    for (let n = 0; n < rotations; n += 1) issued.push((await refresh(issued.at(-1).refresh_token)).body)
    expect((await caller(service.address, tokens.access_token).get('/v1/verifications')).status).toBe(200)

    const { status, body } = await refresh(issued[replayed].refresh_token)

    expect([status, body.error.code]).toEqual([400, 'invalid_refresh_token'])
    expect((await refresh(issued.at(-1).refresh_token)).status).toBe(400)
    for (const { access_token } of [issued[0], issued.at(-1)]) {
      expect((await caller(service.address, access_token).get('/v1/verifications')).body.error.code).toBe(
        'invalid_api_key',
      )
    }
    const [entry] = await service.ctx.db.query(
      sql`select detail from audit_inbox where action = 'device.revoked' and subject = ${id}`,
    )
    expect(entry).toEqual({ detail: { reason: 'refresh_token_reused' } })
  }
})

test('[TOKEN-2] unknown, malformed and expired tokens revoke nothing and get the same response', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const { tokens, id } = await pair(service, merchant)
  const refresh = (refresh_token: string) => service.anonymous.post('/v1/devices/token', { refresh_token })
  const altered = `${tokens.refresh_token.slice(0, -1)}${tokens.refresh_token.endsWith('A') ? 'B' : 'A'}`
  const responses = [
    await refresh('x'),
    await refresh(altered),
    await refresh(tokens.access_token),
    await refresh('vdr_0'),
  ]
  await setClockOffset(service.ctx.db, '30 days')
  responses.push(await refresh(tokens.refresh_token))

  expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(responses[0]?.body.error.code).toBe('invalid_refresh_token')
  const devices = (await merchant.get('/v1/devices')).body.data
  expect(devices.find((device: { id: string }) => device.id === id).status).toBe('active')
})
