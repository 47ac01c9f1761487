import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { startService } from '../../../test/service.ts'
import { sweepGuesses } from './enroll.ts'
import { sql } from '../../engine/db/sql.ts'
import { till } from '../../../test/pair-device.ts'

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

test('[ENROLL-2] wrong, used, expired and revoked codes get the same 400', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const enroll = (pairing_code: string) => service.anonymous.post('/v1/devices/enroll', { pairing_code })
  const spent = (await merchant.post('/v1/devices', till)).body.pairing_code
  await enroll(spent)
  const revoked = (await merchant.post('/v1/devices', till)).body
  await merchant.delete(`/v1/devices/${revoked.device.id}`)
  const expired = (await merchant.post('/v1/devices', { ...till, pairing_ttl_seconds: 60 })).body
  await setClockOffset(service.ctx.db, '60 seconds')

  const responses = [
    await enroll('VD-0000-0000'),
    await enroll('x'),
    await enroll(spent),
    await enroll(revoked.pairing_code),
    await enroll(expired.pairing_code),
  ]

  expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect([responses[0]?.status, responses[0]?.body.error.code]).toEqual([400, 'invalid_pairing_code'])
  const [newest] = (await merchant.get('/v1/devices')).body.data
  expect(newest).toMatchObject({ id: expired.device.id, status: 'pending' })
  expect((await merchant.delete(`/v1/devices/${expired.device.id}`)).body.status).toBe('revoked')
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

test('guesses are also limited per IPv6 /48, and old counters are deleted', async () => {
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

test('beyond the service-wide limit only addresses with a wrong guess are refused', async () => {
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
