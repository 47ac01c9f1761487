import {
  dashboardRoutes,
  managementRoutes,
  managementScopes,
  type DashboardRoute,
  type ManagementOperation,
  type Route,
} from '@vidimus/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAuditLog } from '../../test/audit/audit.ts'
import { caller } from '../../test/caller.ts'
import { startService, type Service } from '../../test/service.ts'
import { signIn } from '../../test/sign-in/browser.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const routes = Object.entries(managementRoutes) as [ManagementOperation, Route][]
const here = { environment: 'test' }

test('[AUTH-14] no key does what makes people members, reveals a stored secret or shows claims', () => {
  const offered = routes.map(([operation]): DashboardRoute => dashboardRoutes[operation])
  const forbidden = ['manage_team', 'read_secret', 'rotate_secret', 'read_claims', 'signed_in', 'anyone']
  expect(offered.filter(({ may }) => forbidden.includes(may))).toEqual([])
})

test('[AUTH-14] a member and a key reach the same use case, and the audit log says who it was', async () => {
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  const template = (await owner.call('getTemplate', { params: { key: 'identity_basic' } })).body.template
  const put = await merchant.request('PUT', '/v1/templates/hotel_check_in', {
    body: { template: { ...template, name: 'Hotel check-in' } },
  })
  expect([put.status, put.body.saved]).toEqual([200, true])
  const seen = await owner.call('getTemplate', { params: { key: 'hotel_check_in' } })
  const read = await merchant.get('/v1/templates/hotel_check_in')
  expect(read.body).toEqual(seen.body)
  expect(read.body.name).toBe('Hotel check-in')
  expect((await merchant.post('/v1/verifications', { template: 'hotel_check_in' })).status).toBe(201)

  const brand = { display_name: 'Harbour Wines', colour: '#1a2b3c' }
  await merchant.request('PUT', '/v1/settings/brand', { body: brand })
  expect((await owner.call('getSettings')).body.brand).toEqual(brand)

  const entries = await readAuditLog(service.ctx, merchant.tenant_id)
  const byKey = entries.filter(({ actor }) => actor === `key:${merchant.key_id}`)
  expect(byKey.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['template.put', 'tenant.brand_changed']),
  )
})

test('an invalid template is refused with the place of each mistake, and nothing is saved', async () => {
  const merchant = await service.tenant()
  const { status, body } = await merchant.request('PUT', '/v1/templates/wrong', {
    body: { template: { name: 'Wrong' } },
  })
  expect([status, body.error.code]).toEqual([422, 'invalid_template'])
  expect(body.error.message).toMatch(/^The template is not valid\. \w+.*: /)
  expect((await merchant.get('/v1/templates/wrong')).status).toBe(404)
})

test('[AUTH-14] a key that manages is made by a person who confirmed it, for at most 90 days', async () => {
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  expect(dashboardRoutes.createKey.confirmed).toBe(true)
  for (const scope of managementScopes)
    for (const [lifetime_days, status] of [
      [undefined, 400],
      [365, 400],
      [90, 201],
    ]) {
      const made = await owner.call('createKey', {
        params: here,
        body: { name: 'CI', scopes: [scope], ...(lifetime_days !== undefined && { lifetime_days }) },
      })
      expect([scope, lifetime_days, made.status]).toEqual([scope, lifetime_days, status])
    }
})

test('[AUTH-14] a key makes only keys with less than its own scopes, none that manages, and none that outlives it', async () => {
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  const { body: made } = await owner.call('createKey', {
    params: here,
    body: { name: 'CI', scopes: ['keys:manage', 'verifications:create'], lifetime_days: 90 },
  })
  const ci = caller(service.address, made.secret)
  const create = async (given: readonly string[], lifetime_days?: number) =>
    ci.post('/v1/api_keys', {
      name: 'Shop',
      scopes: given,
      ...(lifetime_days !== undefined && { lifetime_days }),
    })
  expect((await create(['verifications:read'], 30)).body.error.code).toBe('insufficient_scope')
  expect((await create(['keys:manage'], 30)).body.error.code).toBe('insufficient_scope')
  expect((await create(['verifications:create'])).body.error.message).toMatch(/must end before/)
  expect((await create(['verifications:create'], 365)).body.error.message).toMatch(/must end before/)
  const shop = await create(['verifications:create'], 30)
  expect(shop.status).toBe(201)
  const created = await caller(service.address, shop.body.secret).post('/v1/verifications', {
    template: 'age_over_18',
  })
  expect(created.status).toBe(201)

  // It belongs to the member whose key made it, and ends with them.
  expect(shop.body.key.created_by).toBe(made.key.created_by)
})

test('[AUTH-14] a key ends when its maker may no longer do what it does', async () => {
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  const admin = await signIn(service, { ...merchant, email: 'admin@example.com', role: 'admin' })
  const { body: made } = await admin.call('createKey', {
    params: here,
    body: { name: 'CI', scopes: ['settings:manage', 'config:read'], lifetime_days: 30 },
  })
  const ci = caller(service.address, made.secret)
  expect((await ci.get('/v1/settings')).status).toBe(200)
  const { members } = (await owner.call('listTeam')).body
  const { id } = members.find(({ email }: { email: string }) => email === 'admin@example.com')
  const changed = await owner.call('changeRole', { params: { id }, body: { role: 'developer' } })
  expect(changed.status).toBe(200)
  expect((await ci.get('/v1/settings')).body.error.code).toBe('invalid_api_key')
})
