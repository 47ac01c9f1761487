import { expect, test } from 'vitest'
import { caller } from '../../../test/caller.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { startService } from '../../../test/service.ts'
import { sql } from '../../engine/db/sql.ts'
import { pairDevice } from '../../../test/pair-device.ts'

test('[TOKEN-6] an expired access token is reported as expired, an unknown or revoked one as invalid', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const { device, tokens, id } = await pairDevice(service, merchant)
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
    const { tokens, id } = await pairDevice(service, merchant)
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
  const { tokens, id } = await pairDevice(service, merchant)
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
