import { fileURLToPath } from 'node:url'
import { scopes } from '@vidimus/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAuditLog } from '../../../test/audit/audit.ts'
import { caller } from '../../../test/caller.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { startProcesses } from '../../../test/processes/processes.ts'
import { signIn, type SignedInBrowser } from '../../../test/sign-in/browser.ts'
import { startService, type Service } from '../../../test/service.ts'
import { setPlan } from '../plans/plans.ts'
import { rollKey } from './roll-key.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const withProbes = fileURLToPath(new URL('../../../test/serve-probes.ts', import.meta.url))
const here = { environment: 'test' }

const roll = (by: SignedInBrowser, id: string, overlap_seconds: number, environment = 'test') =>
  by.call('rollKey', { params: { environment, id }, body: { overlap_seconds } })

test('a rolled key works until its overlap ends, and its replacement has its name, scopes and lifetime', async () => {
  await using own = await startService()
  const merchant = await own.tenant()
  const owner = await signIn(own, merchant)
  const { body: made } = await owner.call('createKey', {
    params: here,
    body: { name: 'Web shop', scopes: ['verifications:read', 'verifications:create'], lifetime_days: 30 },
  })
  await setClockOffset(own.ctx.db, '1 day')
  const later = await signIn(own, { ...merchant, email: 'later@example.com' })

  const { status, body } = await roll(later, made.key.id, 3600)

  expect(status).toBe(201)
  expect(body.secret).toMatch(/^vk_test_/)
  expect(body.key).toMatchObject({ name: 'Web shop', scopes: made.key.scopes, expired: false })
  const days = (Date.parse(body.key.expires_at) - Date.parse(body.key.created_at)) / 86_400_000
  expect(days).toBe(30)
  const read = async (key: string) => {
    const response = await caller(own.address, key).get('/v1/verifications')
    return [response.status, response.body.error?.code]
  }
  expect([await read(made.secret), await read(body.secret)]).toEqual([
    [200, undefined],
    [200, undefined],
  ])
  const listed = await later.call('listKeys', { params: here })
  expect(listed.text).not.toContain(body.secret)
  const old = listed.body.data.find(({ id }: { id: string }) => id === made.key.id)
  expect(old.replaced_by).toBe(body.key.id)
  const overlap_ms = Date.parse(old.expires_at) - Date.parse(body.key.created_at)
  expect(Math.round(overlap_ms / 60_000)).toBe(60)

  await setClockOffset(own.ctx.db, '1 day 1 hour')
  expect([await read(made.secret), await read(body.secret)]).toEqual([
    [401, 'api_key_expired'],
    [200, undefined],
  ])
  const entries = (await readAuditLog(own.ctx, merchant.tenant_id)).slice(-2)
  expect(entries).toMatchObject([
    { action: 'key.created', subject: body.key.id, detail: { replaces: made.key.id } },
    {
      action: 'key.rolled',
      subject: made.key.id,
      detail: { replaced_by: body.key.id, overlap_seconds: 3600 },
    },
  ])
})

test('an overlap never prolongs a key that expires sooner', async () => {
  await using own = await startService()
  const merchant = await own.tenant()
  const { key_id, expires_at = '' } = await merchant.as({ lifetime_days: 30 })
  await setClockOffset(own.ctx.db, '29 days 23 hours')
  const owner = await signIn(own, merchant)

  expect((await roll(owner, key_id, 604_800)).status).toBe(201)

  const { body } = await owner.call('listKeys', { params: here })
  const old = body.data.find(({ id }: { id: string }) => id === key_id)
  expect(old.expires_at).toBe(expires_at)
})

test('without an overlap every process refuses the old key from the next request on', async () => {
  await using own = await startProcesses(3, { run: withProbes })
  const merchant = await own.tenant()
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  const everywhere = own.processes.map(({ address }) => address)
  const callEveryProcess = (key: string) =>
    Promise.all(everywhere.map((address) => caller(address, key).get('/v1/probe')))

  for (let round = 0; round < 5; round += 1) {
    const { key, key_id } = await merchant.as({ scopes: ['verifications:read'] })
    expect((await callEveryProcess(key)).map(({ status }) => status)).toEqual([200, 200, 200])
    const rolled = await rollKey(own.ctx, { by, environment: 'test', key_id, overlap_seconds: 0 })
    expect((await callEveryProcess(key)).map(({ body }) => body.error.code)).toEqual(
      everywhere.map(() => 'invalid_api_key'),
    )
    expect((await callEveryProcess(rolled.key)).map(({ status }) => status)).toEqual([200, 200, 200])
  }
})

test('of many rolls of a key at once exactly one succeeds', async () => {
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  for (const overlap of [0, 3600]) {
    const { key_id } = await merchant.as({})
    const before = (await owner.call('listKeys', { params: here })).body.data.length
    const responses = await Promise.all(Array.from({ length: 8 }, () => roll(owner, key_id, overlap)))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(new Set(responses.map(({ body }) => body.error?.code))).toEqual(
      new Set([undefined, 'key_not_usable']),
    )
    expect((await owner.call('listKeys', { params: here })).body.data).toHaveLength(before + 1)
  }
})

test('a key that is revoked, expired, rolled, unknown or of another environment or tenant is not rolled', async () => {
  await using own = await startService()
  const merchant = await own.tenant()
  const stranger = await signIn(own, await own.tenant())
  const revoked = await merchant.as({})
  const expired = await merchant.as({ lifetime_days: 30 })
  const rolled = await merchant.as({})
  await setClockOffset(own.ctx.db, '30 days')
  const owner = await signIn(own, merchant)
  await owner.call('revokeKey', { params: { ...here, id: revoked.key_id } })
  await roll(owner, rolled.key_id, 3600)

  for (const { key_id } of [revoked, expired, rolled])
    expect((await roll(owner, key_id, 3600)).body.error?.code).toBe('key_not_usable')
  const missing = [
    await roll(owner, merchant.key_id, 0, 'live'),
    await roll(stranger, merchant.key_id, 0).catch(() => undefined),
    await roll(owner, '00000000-0000-4000-8000-000000000000', 0),
    await roll(owner, 'x', 0),
  ]
  expect(missing.map((response) => response?.status)).toEqual([404, 401, 404, 404])
  expect((await roll(owner, merchant.key_id, 60)).status).toBe(400)
  expect((await merchant.get('/v1/verifications')).status).toBe(200)
})

test('a member rolls only keys whose scopes their role may grant', async () => {
  const merchant = await service.tenant()
  const developer = await signIn(service, { ...merchant, role: 'developer' })
  const support = await signIn(service, { ...merchant, role: 'support' })
  const allScopes = await merchant.as({ scopes })
  const reading = await merchant.as({ scopes: ['verifications:read'] })

  expect((await roll(developer, allScopes.key_id, 0)).body.error?.code).toBe('role_not_allowed')
  expect((await roll(support, reading.key_id, 0)).body.error?.code).toBe('role_not_allowed')
  expect((await roll(developer, reading.key_id, 0)).status).toBe(201)
  expect((await allScopes.get('/v1/verifications')).status).toBe(200)
})

test("a tenant at its plan's limit of keys can roll each of them once more", async () => {
  await using own = await startService()
  await setPlan(own.ctx, { name: 'starter', keys: 2 })
  const merchant = await own.tenant()
  const owner = await signIn(own, merchant)
  const create = () =>
    owner.call('createKey', { params: here, body: { name: 'K', scopes: ['verifications:read'] } })
  const { body: second } = await create()
  expect((await create()).body.error?.code).toBe('too_many')

  const first = await roll(owner, merchant.key_id, 3600)
  expect([first.status, (await roll(owner, second.key.id, 3600)).status]).toEqual([201, 201])
  expect((await create()).body.error?.code).toBe('too_many')
  const third = await roll(owner, first.body.key.id, 3600)
  expect(third.body.error?.code).toBe('too_many')
  expect((await roll(owner, first.body.key.id, 0)).status).toBe(201)
})
