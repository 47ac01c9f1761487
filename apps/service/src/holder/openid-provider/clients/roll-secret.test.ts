import { afterAll, beforeAll, expect, test } from 'vitest'
import { setClockOffset } from '../../../../test/database/clock.ts'
import { clientInput } from '../../../../test/openid-clients.ts'
import { startService, type Service } from '../../../../test/service.ts'
import { readPublicKeys, readSigningKey } from '../issuer/store.ts'
import { rotateSigningKeys } from '../issuer/rotate-keys.ts'
import { authenticateClient } from './authenticate-client.ts'
import { createClient } from './create-client.ts'
import { deleteClient } from './change-client.ts'
import { getClient } from './list-clients.ts'
import { rollClientSecret } from './roll-secret.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

async function openClient(running: Service) {
  const { ctx } = running
  const { tenant_id } = await running.tenant()
  const by = { kind: 'operator', tenant_id } as const
  const { client_id, secret } = await createClient(ctx, clientInput({ by }))
  const roll = (overlap_seconds: 0 | 3600 | 604_800) =>
    rollClientSecret(ctx, { by, client_id, overlap_seconds })
  const accepts = async (presented: string | undefined) =>
    (await authenticateClient(ctx, { tenant_id, client_id, secret: presented })) !== undefined
  return { by, client_id, tenant_id, secret, roll, accepts }
}

test('a rolled secret works until the overlap ends; at most two work', async () => {
  await using own = await startService()
  const { client_id, tenant_id, secret, roll, accepts } = await openClient(own)

  const second = await roll(3600)
  expect([await accepts(secret), await accepts(second.secret)]).toEqual([true, true])
  const { previous_secret_expires_at } = await getClient(own.ctx, { tenant_id, client_id })
  expect(previous_secret_expires_at).toEqual(expect.any(String))
  await expect(roll(3600)).rejects.toMatchObject({ code: 'too_many' })
  await setClockOffset(own.ctx.db, '59 minutes')
  expect([await accepts(secret), await accepts(second.secret)]).toEqual([true, true])
  await setClockOffset(own.ctx.db, '61 minutes')
  expect([await accepts(secret), await accepts(second.secret)]).toEqual([false, true])

  const third = await roll(604_800)
  const fourth = await roll(0)
  expect(await Promise.all([second, third, fourth].map((each) => accepts(each.secret)))).toEqual([
    false,
    false,
    true,
  ])
})

test('of many rolls at once one new secret works, and with an overlap the old one too', async () => {
  for (const overlap of [0, 3600] as const) {
    const { secret, roll, accepts } = await openClient(service)
    const rolls = await Promise.allSettled(Array.from({ length: 8 }, () => roll(overlap)))
    const done = rolls.flatMap((each) => (each.status === 'fulfilled' ? [each.value.secret] : []))
    // A roll that begins after another one has ended is not at the same time; without an overlap it succeeds too, and the last one counts.
    expect(done.length).toBeGreaterThanOrEqual(1)
    expect(done.length).toBeLessThanOrEqual(overlap > 0 ? 1 : rolls.length)
    const working = await Promise.all(done.map(accepts))
    expect(working.filter(Boolean)).toHaveLength(1)
    expect(await accepts(secret)).toBe(overlap > 0)
    const codes = rolls.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))
    expect(codes.every((code) => code === 'openid_client_changed' || code === 'too_many')).toBe(true)
  }
})

test('a client without a secret has none to roll', async () => {
  const { tenant_id } = await service.tenant()
  const by = { kind: 'operator', tenant_id } as const
  const { client_id } = await createClient(service.ctx, clientInput({ by, authentication: 'none' }))
  await expect(rollClientSecret(service.ctx, { by, client_id, overlap_seconds: 0 })).rejects.toMatchObject({
    code: 'invalid_request',
  })
})

test('after a deletion no request recognises the client, also among rolls and requests at the same time', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { by, client_id, secret, roll, accepts } = await openClient(service)
    const rolled = roll(3600).catch(() => undefined)
    const before = Promise.all(Array.from({ length: 10 }, () => accepts(secret)))
    await deleteClient(service.ctx, { by, client_id })
    expect(await accepts(secret)).toBe(false)
    expect(await accepts((await rolled)?.secret)).toBe(false)
    for (const accepted of await before) expect(typeof accepted).toBe('boolean')
    await expect(deleteClient(service.ctx, { by, client_id })).rejects.toMatchObject({
      code: 'openid_client_not_found',
    })
  }
})

test('new keys are published ten minutes before they sign; of two rotations at once one succeeds', async () => {
  await using own = await startService()
  const { by, tenant_id } = await openClient(own)
  const { ctx } = own
  const signing = async () => (await readSigningKey(ctx.db, { tenant_id, algorithm: 'RS256' }))?.id
  const first = await signing()

  const rotations = await Promise.allSettled([rotateSigningKeys(ctx, { by }), rotateSigningKeys(ctx, { by })])

  expect(rotations.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(rotations.find((each) => each.status === 'rejected')?.reason).toMatchObject({ code: 'too_many' })
  expect(await readPublicKeys(ctx.db, tenant_id)).toHaveLength(4)
  expect(await signing()).toBe(first)
  await setClockOffset(ctx.db, '11 minutes')
  expect(await signing()).not.toBe(first)
  const stranger = await own.tenant()
  await expect(
    rotateSigningKeys(ctx, { by: { kind: 'operator', tenant_id: stranger.tenant_id } }),
  ).rejects.toMatchObject({ code: 'not_found' })
})
