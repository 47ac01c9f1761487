import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { signIn } from '../../../test/sign-in/browser.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { getOverview } from '../../dashboard/overview/get-overview.ts'
import { inviteMember } from '../members/invitations/invite.ts'
import { setPlan } from '../plans/plans.ts'
import type { Db } from '../../engine/db/open.ts'
import { sql } from '../../engine/db/sql.ts'

const here = { environment: 'test' }
const device = { name: 'Till', allowed_templates: ['age_over_18'] }

test('a plan limits devices; revoked and never paired devices do not count', async () => {
  await using service = await startService()
  await setPlan(service.ctx, { name: 'starter', devices: 3, registrations_a_day: 7 })
  const merchant = await service.tenant()
  const register = () => merchant.post('/v1/devices', device)
  const responses = await Promise.all(Array.from({ length: 6 }, register))
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    201, 201, 201, 429, 429, 429,
  ])
  const refused = responses.find(({ status }) => status === 429)
  expect(refused?.body.error).toEqual({
    code: 'quota_exceeded',
    message: expect.stringMatching(/^Your plan allows 3 devices. Revoke one first. See /),
  })
  const id = responses.find(({ status }) => status === 201)?.body.device.id
  await merchant.delete(`/v1/devices/${id}`)
  expect((await register()).status).toBe(201)
  await service.ctx.db.execute(sql`update devices set pairing_expires_at = service_now()`)
  expect([(await register()).status, (await register()).status, (await register()).status]).toEqual([
    201, 201, 201,
  ])
  // The limit of seven registrations a day comes next.
  await service.ctx.db.execute(sql`update devices set pairing_expires_at = service_now()`)
  const eighth = await register()
  expect([eighth.status, eighth.body.error.code, eighth.headers.get('retry-after')]).toEqual([
    429,
    'quota_exceeded',
    '3600',
  ])
})

test('a plan limits keys, templates, members and open invitations; an operator can exceed it', async () => {
  await using service = await startService()
  await setPlan(service.ctx, { name: 'starter', keys: 3, templates: 2, members: 4, invitations: 2 })
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  const key = () =>
    owner.call('createKey', { params: here, body: { name: 'K', scopes: ['verifications:read'] } })
  const keys = await Promise.all([key(), key(), key(), key()])
  expect(keys.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 409, 409])

  const put = async (name: string) => {
    const { template } = (await owner.call('getTemplate', { params: { key: 'age_over_18' } })).body
    return owner.call('putTemplate', { params: { key: name }, body: { template } })
  }
  const templates = [await put('one'), await put('two'), await put('three'), await put('two')]
  expect(templates.map(({ status }) => status)).toEqual([200, 200, 409, 200])

  const invite = (email: string) => owner.call('inviteMember', { body: { email, role: 'support' } })
  const invitations = [await invite('a@b.c'), await invite('b@b.c'), await invite('c@b.c')]
  expect(invitations.map(({ status }) => status)).toEqual([201, 201, 409])
  await signIn(service, { ...merchant, role: 'support', email: 'a@b.c' })
  expect((await invite('d@b.c')).status).toBe(201)
  await signIn(service, { ...merchant, role: 'support', email: 'b@b.c' })
  // Three members and one open invitation: no further member fits, but an existing member can get a link.
  const full = await invite('e@b.c')
  expect(full.body.error).toEqual({
    code: 'too_many',
    message: 'Your plan allows 4 members. Remove one first.',
  })
  expect((await invite('a@b.c')).status).toBe(201)
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  await inviteMember(service.ctx, { by, email: 'f@b.c', role: 'support' })
})

test('with 12,000 devices the overview reads a few rows and the list reads one page', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  await fill(service, merchant, 12_000)
  let rows = 0
  const { db } = service.ctx
  const counting = {
    ...db,
    query: async (text: Parameters<Db['query']>[0]) => {
      const found = await db.query(text)
      rows += found.length
      return found
    },
  } as typeof db
  const overview = await getOverview(
    { ...service.ctx, db: counting },
    { tenant_id: merchant.tenant_id, environment: 'test' },
  )
  expect(overview.checklist.device_paired).toBe(true)
  expect(rows).toBeLessThan(50)

  const seen = new Set<string>()
  let before: string | undefined
  let pages = 0
  do {
    const { body } = await owner.call('listDevices', {
      params: here,
      query: { limit: '100', ...(before !== undefined && { before }) },
    })
    expect(body.data.length).toBeLessThanOrEqual(100)
    for (const { id } of body.data) seen.add(id)
    before = body.next_before
    pages += 1
  } while (before !== undefined && pages < 3)
  expect(seen.size).toBe(300)
  // The published list has no pages: it has all paired devices and the newest of the others.
  expect((await merchant.get('/v1/devices')).body.data).toHaveLength(1000 + 1)
  for (const odd of ['x', '2026-01-01T00:00:00.000000Z', `0000-99-99T00:00:00.000000Z_${randomUUID()}`]) {
    const response = await owner.call('listDevices', { params: here, query: { before: odd } })
    expect([odd, response.status]).toEqual([odd, 400])
  }
})

/** Devices of which only the oldest was paired. Many have the same creation time. */
async function fill(service: Service, { tenant_id }: Merchant, count: number): Promise<void> {
  await service.ctx.db.execute(sql`
    insert into devices (tenant_id, id, environment, name, status, allowed_templates, pairing_hash, pairing_expires_at, generation,
      created_at, enrolled_at)
    select ${tenant_id}, gen_random_uuid(), 'test', 'Till ' || n, case when n = 1 then 'active' else 'pending' end, '{age_over_18}',
      sha256(n::text::bytea), service_now(), 0, service_now() - interval '1 day' + (n / 7) * interval '1 second',
      case when n = 1 then service_now() end
    from generate_series(1, ${count}::integer) n`)
}
