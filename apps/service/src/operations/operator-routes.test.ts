import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setClockOffset } from '../../test/database/clock.ts'
import { signInOperator, startServiceWithConsole, type SignedInOperator } from '../../test/sign-in/console.ts'
import { signIn, tokenFromLink } from '../../test/sign-in/browser.ts'
import type { Service } from '../../test/service.ts'
import { openWallet } from '../../test/wallet.ts'
import { deleteDueTenants } from '../accounts/tenants/delete-later.ts'
import { advanceAudit } from '../audit/index.ts'
import { openLoopProgress } from '../engine/observability/loop-progress.ts'
import { recordHeartbeat } from '../engine/db/index.ts'

let service: Service
let owner: SignedInOperator
beforeAll(async () => {
  service = await startServiceWithConsole()
  owner = await signInOperator(service)
})
afterAll(() => service[Symbol.asyncDispose]())

const plain = { template: 'age_over_18' }
const at = (id: string) => ({ params: { id } })

async function createTenant(more: Record<string, unknown> = {}) {
  const { status, body, text } = await owner.call('createTenant', { body: { name: 'Corner shop', ...more } })
  if (status !== 201) throw new Error(text)
  return body
}

describe('a tenant', () => {
  test('is created once for each external id, and its owner invited until they join', async () => {
    const external_id = randomUUID()
    const order = { external_id, owner_email: 'owner@shop.example', plan: 'growth', reason: 'Order 4471' }
    const created = await createTenant(order)
    expect(created).toMatchObject({
      created: true,
      tenant: { name: 'Corner shop', external_id, state: 'active', plan: 'growth', daily_quota: 50_000 },
      webhook_secrets: { test: expect.stringMatching(/^whsec_/), live: expect.stringMatching(/^whsec_/) },
      invitation: { email: 'owner@shop.example', mailed: false },
    })
    const again = await createTenant(order)
    expect(again).toMatchObject({ created: false, tenant: { id: created.tenant.id } })
    expect(again.webhook_secrets).toBeUndefined()
    expect(tokenFromLink(again.invitation.link)).not.toBe(tokenFromLink(created.invitation.link))
    await signIn(service, { tenant_id: created.tenant.id, email: 'owner@shop.example' })
    expect((await createTenant(order)).invitation).toBeUndefined()
  })

  test('is created once by ten requests at the same moment', async () => {
    const external_id = randomUUID()
    const bodies = await Promise.all(Array.from({ length: 10 }, () => createTenant({ external_id })))
    expect(bodies.filter(({ created }) => created)).toHaveLength(1)
    expect(new Set(bodies.map(({ tenant }) => tenant.id)).size).toBe(1)
  })

  test('is found by name, id and external id, and listed by name page by page', async () => {
    const mark = randomUUID()
    const names = ['alpha', 'Beta', 'ärger', 'gamma', 'Gamma'].map((name) => `${name} ${mark}`)
    for (const name of names) await createTenant({ name, external_id: `${name}!` })
    const listed: { id: string; name: string }[] = []
    let after: string | undefined
    do {
      const query = { q: mark, limit: '2', ...(after !== undefined && { after }) }
      const { body } = await owner.call('listTenants', { query })
      expect(body.data.length).toBeLessThanOrEqual(2)
      listed.push(...body.data)
      after = body.next
    } while (after !== undefined)
    expect(new Set(listed.map(({ name }) => name))).toEqual(new Set(names))
    expect(listed).toHaveLength(names.length)
    for (const q of [
      listed[0]?.id.toUpperCase() ?? '',
      `${listed[0]?.name}!`,
      listed[0]?.name.toUpperCase() ?? '',
    ])
      expect((await owner.call('listTenants', { query: { q } })).body.data).toEqual([
        expect.objectContaining({ id: listed[0]?.id }),
      ])
    for (const wrong of ['x', '\0', 'A'.repeat(400)])
      expect((await owner.call('listTenants', { query: { after: wrong } })).status).toBe(400)
  })

  test('has its state, usage, people and what operators did', async () => {
    const merchant = await service.tenant({ environment: 'live' })
    const id = merchant.tenant_id
    await signIn(service, { tenant_id: id, email: 'mia@shop.example' })
    expect((await merchant.post('/v1/verifications', plain)).status).toBe(201)
    const reason = 'The invoice of May is not paid.'
    const suspended = await owner.call('suspendTenant', { ...at(id), body: { reason } })
    expect(suspended.status).toBe(200)
    await advanceAudit(service.ctx)
    expect((await owner.call('getTenant', at(id))).body).toMatchObject({
      state: 'suspended',
      state_reason: reason,
      created_today: 1,
      live_this_month: { created: 1, completed: 0 },
      usage_today: { live: { created: 1, pending: 1 }, test: { created: 0 } },
      owners: [{ email: 'mia@shop.example' }],
      members: 1,
      usable_keys: 1,
      operations: [
        {
          action: 'installation.tenant_state_changed',
          operator: owner.name,
          reason,
          detail: { state: 'suspended' },
        },
      ],
    })
    expect((await merchant.post('/v1/verifications', plain)).body.error).toMatchObject({
      code: 'tenant_suspended',
      message: expect.stringContaining(reason),
    })
    const filtered = await owner.call('listTenants', { query: { state: 'suspended' } })
    expect(filtered.body.data.map((tenant: { id: string }) => tenant.id)).toContain(id)
    expect(filtered.body.counts.suspended).toBeGreaterThanOrEqual(1)

    await owner.call('resumeTenant', { ...at(id), body: {} })
    expect((await merchant.post('/v1/verifications', plain)).status).toBe(201)
    await owner.call('setTenantQuota', { ...at(id), body: { daily_quota: 2 } })
    expect((await merchant.post('/v1/verifications', plain)).body.error.code).toBe('quota_exceeded')
    await owner.call('setTenantQuota', { ...at(id), body: { daily_quota: null } })
    const moved = await owner.call('setTenantPlan', { ...at(id), body: { plan: 'scale' } })
    expect(moved.body).toMatchObject({ plan: 'scale', daily_quota: 1_000_000, has_own_quota: false })
    expect((await owner.call('setTenantPlan', { ...at(id), body: { plan: 'none' } })).status).toBe(400)
  })

  test('ends its open verifications with a suspension that says so, and with its closure', async () => {
    const merchant = await service.tenant()
    const { id } = (await merchant.post('/v1/verifications', plain)).body
    const body = { reason: 'Fraud', end_open: true }
    await owner.call('suspendTenant', { ...at(merchant.tenant_id), body })
    expect((await merchant.get(`/v1/verifications/${id}`)).body.status).toBe('expired')
    const closed = await owner.call('closeTenant', { ...at(merchant.tenant_id), body: { reason: 'Fraud' } })
    expect(closed.body.state).toBe('closed')
    const resumed = await owner.call('resumeTenant', { ...at(merchant.tenant_id), body: {} })
    expect(resumed.body.error).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('closed'),
    })
  })

  test('that is not there is said to be not there', async () => {
    const bodies: Record<string, unknown> = {
      suspendTenant: { reason: 'x' },
      resumeTenant: {},
      closeTenant: { reason: 'x' },
      setTenantPlan: { plan: 'growth' },
      setTenantQuota: { daily_quota: 1 },
      deleteTenant: { name: 'x', reason: 'x' },
      inviteOwner: { email: 'x@shop.example' },
    }
    for (const operation of Object.keys(bodies))
      for (const id of [randomUUID(), 'x'])
        expect([
          operation,
          (await owner.call(operation as 'suspendTenant', { ...at(id), body: bodies[operation] })).body.error
            .code,
        ]).toEqual([operation, 'not_found'])
    for (const operation of ['getTenant', 'keepTenant'] as const)
      expect((await owner.call(operation, at(randomUUID()))).body.error.code).toBe('not_found')
  })
})

describe('a deletion', () => {
  test('waits seven days, suspends at once, and can be withdrawn until then', async () => {
    await using other = await startServiceWithConsole()
    const console = await signInOperator(other)
    const merchant = await other.tenant()
    const path = at(merchant.tenant_id)
    const body = { name: 'A merchant', reason: 'Contract ended' }
    const wrongName = await console.call('deleteTenant', { ...path, body: { ...body, name: 'Another' } })
    expect(wrongName.body.error.message).toContain('another name')

    expect((await console.call('deleteTenant', { ...path, body })).body).toMatchObject({
      state: 'suspended',
      deletion_at: expect.any(String),
    })
    const resumed = await console.call('resumeTenant', { ...path, body: {} })
    expect(resumed.body.error.message).toContain('Withdraw the deletion first')
    await deleteDueTenants(other.ctx)
    expect((await console.call('keepTenant', path)).body.deletion_at).toBeUndefined()
    expect((await console.call('resumeTenant', { ...path, body: {} })).body.state).toBe('active')

    await console.call('deleteTenant', { ...path, body })
    await setClockOffset(other.ctx.db, '6 days 23 hours')
    await deleteDueTenants(other.ctx)
    expect((await merchant.get('/v1/usage')).status).toBe(200)
    await setClockOffset(other.ctx.db, '7 days 1 minute')
    await Promise.all([deleteDueTenants(other.ctx), deleteDueTenants(other.ctx)])
    expect((await merchant.get('/v1/usage')).status).toBe(401)
    const again = await signInOperator(other, 'auditor', 'Later')
    await advanceAudit(other.ctx)
    const { data } = (await again.call('listLog', { query: { subject: merchant.tenant_id } })).body
    expect(data.map(({ action }: { action: string }) => action)).toEqual([
      'installation.tenant_deleted',
      'installation.tenant_deletion_planned',
      'installation.tenant_state_changed',
      'installation.tenant_state_changed',
      'installation.tenant_deletion_withdrawn',
      'installation.tenant_deletion_planned',
      'installation.tenant_state_changed',
    ])
  })
})

test('plans are changed and removed by name', async () => {
  const name = `p${randomUUID().slice(0, 8)}`
  const set = await owner.call('setPlan', { params: { name }, body: { daily_quota: 7, keys: 3 } })
  expect(set.body).toMatchObject({ name, daily_quota: 7, keys: 3, by_default: false })
  const { tenant } = await createTenant({ plan: name })
  expect((await owner.call('removePlan', { params: { name } })).body.error.message).toContain('Tenants have')
  await owner.call('setTenantPlan', { ...at(tenant.id), body: { plan: 'starter' } })
  const left = (await owner.call('removePlan', { params: { name } })).body.data
  expect(left.map((plan: { name: string }) => plan.name)).toEqual(['starter', 'growth', 'scale'])
  expect((await owner.call('setPlan', { params: { name: 'No spaces' }, body: {} })).status).toBe(400)
})

describe('usage', () => {
  test('is listed by page and exported as CSV, test and live apart, and equals what was created', async () => {
    const [shop, bar] = [await service.tenant({ environment: 'live' }), await service.tenant()]
    const wallet = await openWallet(service.ctx, service.address)
    for (const merchant of [shop, shop, bar]) {
      const { wallet_uri } = (await merchant.post('/v1/verifications', plain)).body
      if (merchant === bar) await wallet.respond(wallet_uri)
    }
    const month = new Date().toISOString().slice(0, 7)
    const rows: { tenant_id: string; environment: string; created: number; completed: number }[] = []
    let after: string | undefined
    do {
      const query = { month, limit: '1', ...(after !== undefined && { after }) }
      const { body } = await owner.call('listUsage', { query })
      rows.push(...body.data)
      after = body.next
    } while (after !== undefined)
    const mine = (tenant_id: string) => rows.filter((row) => row.tenant_id === tenant_id)
    expect(mine(shop.tenant_id)).toEqual([
      expect.objectContaining({ environment: 'live', created: 2, pending: 2, final: false }),
    ])
    expect(mine(bar.tenant_id)).toEqual([
      expect.objectContaining({ environment: 'test', created: 1, completed: 1 }),
    ])

    const csv = await owner.call('exportUsage', { query: { month, environment: 'live' } })
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const lines = csv.text.trim().split('\r\n')
    expect(lines[0]).toBe(
      'tenant_id,name,from,to,environment,created,completed,failed,declined,expired,pending,final',
    )
    expect(lines.filter((line) => line.startsWith(shop.tenant_id))).toEqual([
      expect.stringMatching(
        new RegExp(`^${shop.tenant_id},A merchant,${month}-01,${month}-\\d\\d,live,2,0,0,0,0,2,false$`),
      ),
    ])
    expect(lines.some((line) => line.startsWith(bar.tenant_id))).toBe(false)
    const days = { from: `${month}-01`, to: `${month}-28`, tenant_id: shop.tenant_id, by_day: 'true' }
    expect((await owner.call('listUsage', { query: days })).status).toBe(200)
    const wrong: Record<string, string>[] = [
      {},
      { month: '2026-13' },
      { month, from: '2026-01-01' },
      { from: '2026-01-01' },
      { from: '2026-02-01', to: '2026-01-01' },
      { from: '2020-01-01', to: '2026-01-01' },
      { month, tenant_id: 'x' },
    ]
    for (const query of wrong) {
      expect([query, (await owner.call('listUsage', { query })).status]).toEqual([query, 400])
      expect([query, (await owner.call('exportUsage', { query })).status]).toEqual([query, 400])
    }
  })
})

test('the health says what waits, which loops are late and what ends soon', async () => {
  await using other = await startServiceWithConsole()
  const console = await signInOperator(other, 'support')
  const health = async () => (await console.call('getHealth')).body
  expect(await health()).toMatchObject({
    loops: [],
    queues: [{ name: 'webhooks', waiting: 0 }, { name: 'audit' }],
    certificates: [{ owner: 'service' }],
    partitions: { days_ahead: 7, status: 'ok' },
    database: { writable: true, size_bytes: expect.any(Number), connections: expect.any(Number) },
  })
  expect((await health()).attention).toEqual(
    expect.arrayContaining([expect.objectContaining({ check: 'worker', status: 'warning' })]),
  )
  const clock = { ms: 0 }
  const loops = openLoopProgress(() => clock.ms)
  for (const name of ['audit', 'members']) loops.add(name, 1000)
  const beat = () => recordHeartbeat({ db: other.ctx.db, metrics: { ...other.ctx.metrics, loops } })
  loops.succeeded('audit')
  await beat()
  const {
    loops: [first, ...more],
    worker_seconds,
  } = await health()
  expect(first).toMatchObject({ name: 'audit', interval_seconds: 1, status: 'ok' })
  expect([more, worker_seconds < 60]).toEqual([[], true])
  await advanceAudit(other.ctx)
  expect((await health()).queues[1]).toMatchObject({ name: 'audit', waiting: 0, status: 'ok' })

  await setClockOffset(other.ctx.db, '10 minutes')
  const late = await health()
  expect(late.loops[0]).toMatchObject({ name: 'audit', status: 'wrong' })
  expect(late.attention).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ check: 'loops', status: 'wrong', says: expect.stringContaining('“audit”') }),
    ]),
  )
  clock.ms = 1000
  loops.succeeded('audit')
  loops.succeeded('members')
  await beat()
  expect((await health()).loops.map(({ status }: { status: string }) => status)).toEqual(['ok', 'ok'])
})

test('a search finds whose a verification is, with state and times, and tenants', async () => {
  const merchant = await service.tenant()
  const { id, wallet_uri } = (await merchant.post('/v1/verifications', plain)).body
  const search = async (given: string) => (await owner.call('search', { query: { id: given } })).body
  expect(await search(id)).toMatchObject({
    tenants: [],
    verification: {
      tenant: { id: merchant.tenant_id, name: 'A merchant' },
      environment: 'test',
      status: 'pending',
    },
  })
  await (await openWallet(service.ctx, service.address)).respond(wallet_uri)
  const { verification } = await search(id)
  expect(verification).toMatchObject({ status: 'completed', responded_at: expect.any(String) })
  expect(Object.keys(verification).toSorted()).toEqual(
    ['created_at', 'environment', 'expires_at', 'hash', 'responded_at', 'status', 'tenant'].toSorted(),
  )
  expect(JSON.stringify(verification)).not.toContain(id)
  await merchant.delete(`/v1/verifications/${id}`)
  expect(await search(id)).toEqual({ tenants: [] })
  expect((await search(merchant.tenant_id)).tenants).toMatchObject([
    { id: merchant.tenant_id, state: 'active' },
  ])
  for (const nothing of ['x', 'vs_', `${id}x`, randomUUID(), "'; drop table tenants; --"])
    expect(await search(nothing)).toEqual({ tenants: [] })
})
