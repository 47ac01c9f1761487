import { expect, test } from 'vitest'
import { readAuditLog } from '../../test/audit/audit.ts'
import { pairDevice } from '../../test/pair-device.ts'
import { startProcesses } from '../../test/processes/processes.ts'
import { startService, type Service } from '../../test/service.ts'
import { signIn } from '../../test/sign-in/browser.ts'
import { openWallet } from '../../test/wallet.ts'
import { setTenantState } from '../accounts/tenants/state.ts'
import { sql } from '../engine/db/sql.ts'
import { changeTenantState } from './tenant-state.ts'

const plain = { template: 'age_over_18' }
const operator = { name: 'ada', reason: 'The invoice of May is not paid.' }

test('a suspended tenant creates nothing, is told why, replays what it created before, and can be resumed', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const { tenant_id } = merchant
  const live = await merchant.as({ environment: 'live' })
  const { device } = await pairDevice(service, merchant)
  const owner = await signIn(service, merchant)
  const keyed = { headers: { 'idempotency-key': 'order-1' } }
  const first = await merchant.post('/v1/verifications', plain, keyed)

  await changeTenantState(service.ctx, { tenant_id, state: 'suspended', operator })

  for (const each of [merchant, live, device]) {
    const { status, body } = await each.post('/v1/verifications', plain)
    expect([status, body.error]).toEqual([
      403,
      {
        code: 'tenant_suspended',
        message: expect.stringContaining(`suspended this account: ${operator.reason}`),
      },
    ])
  }
  const replayed = await merchant.post('/v1/verifications', plain, keyed)
  expect([replayed.status, replayed.text]).toEqual([201, first.text])
  expect((await merchant.get('/v1/usage')).body.verifications_created).toBe(1)
  expect((await owner.call('getMe')).body.suspension).toEqual({
    state: 'suspended',
    since: expect.any(String),
    reason: operator.reason,
  })
  expect((await merchant.delete(`/v1/verifications/${first.body.id}`)).status).toBe(200)

  await changeTenantState(service.ctx, { tenant_id, state: 'active', operator: { name: 'ben' } })
  expect((await merchant.post('/v1/verifications', plain)).status).toBe(201)
  expect((await owner.call('getMe')).body).not.toHaveProperty('suspension')
  const entries = (await readAuditLog(service.ctx, tenant_id)).filter(
    ({ action }) => action === 'tenant.state_changed',
  )
  expect(entries).toMatchObject([
    { actor: 'operator', actor_name: 'ada', purpose: operator.reason, detail: { state: 'suspended' } },
    { actor: 'operator', actor_name: 'ben', detail: { state: 'active' } },
  ])
})

test('a closed tenant stays closed', async () => {
  await using service = await startService()
  const { tenant_id } = await service.tenant()
  await changeTenantState(service.ctx, { tenant_id, state: 'closed', operator })
  await changeTenantState(service.ctx, { tenant_id, state: 'closed', operator })

  for (const state of ['active', 'suspended'] as const)
    await expect(changeTenantState(service.ctx, { tenant_id, state, operator })).rejects.toThrow('is closed')
  await expect(
    changeTenantState(service.ctx, { tenant_id: crypto.randomUUID(), state: 'closed', operator }),
  ).rejects.toThrow('There is no tenant')
})

test(
  'of 200 suspensions during creations, none is followed by a creation',
  { timeout: 240_000 },
  async () => {
    await using service = await startProcesses(2)
    const merchant = await service.tenant({ daily_quota: 1_000_000 })
    const { tenant_id } = merchant
    const counts: Record<number, number> = {}
    let stopped = false
    const clients = Array.from({ length: 8 }, async () => {
      while (!stopped) {
        const { status } = await merchant.post('/v1/verifications', plain)
        counts[status] = (counts[status] ?? 0) + 1
      }
    })
    const late: number[] = []
    for (let n = 0; n < 200; n += 1) {
      await setTenantState(service.ctx, { tenant_id, state: 'suspended', operator })
      const before = await readCreated(service, tenant_id)
      await new Promise((resolve) => setTimeout(resolve, 5 + (n % 10)))
      const after = await readCreated(service, tenant_id)
      if (before.total !== after.total || after.since_suspension > 0) late.push(n)
      await setTenantState(service.ctx, { tenant_id, state: 'active', operator })
      await new Promise((resolve) => setTimeout(resolve, n % 20))
    }
    stopped = true
    await Promise.all(clients)

    expect(late).toEqual([])
    expect(Object.keys(counts)).toEqual(['201', '403'])
    expect(counts[201]).toBeGreaterThan(200)
    expect(counts[403]).toBeGreaterThan(200)
  },
)

async function readCreated({ ctx: { db } }: Pick<Service, 'ctx'>, tenant_id: string) {
  const [row] = await db.query<{ total: number; since_suspension: number }>(sql`
    select count(*) as total, count(*) filter (where s.created_at >= t.state_changed_at) as since_suspension
    from verification_sessions s join tenants t on t.id = s.tenant_id
    where s.tenant_id = ${tenant_id} and s.day >= service_day() - 1`)
  return row ?? { total: -1, since_suspension: -1 }
}

test(
  'open verifications end once: by the wallet that came first, or by the operator',
  { timeout: 120_000 },
  async () => {
    await using service = await startService()
    const { ctx } = service
    const merchant = await service.tenant()
    const { tenant_id } = merchant
    const other = (await (await service.tenant()).post('/v1/verifications', plain)).body
    const open = await Promise.all(
      Array.from({ length: 230 }, async () => (await merchant.post('/v1/verifications', plain)).body),
    )
    const wallet = await openWallet(ctx, service.address)
    const raced = open.slice(0, 30)

    const [{ ended }, ...responses] = await Promise.all([
      changeTenantState(ctx, { tenant_id, state: 'suspended', operator, end_open: true }),
      ...raced.map(({ wallet_uri }) => wallet.respond(wallet_uri)),
    ])

    const shown = await Promise.all(
      open.map(async ({ id }) => (await merchant.get(`/v1/verifications/${id}`)).body.status as string),
    )
    const accepted = responses.map((each) => each.sent && each.http_status === 200)
    expect(shown.slice(0, 30)).toEqual(accepted.map((was) => (was ? 'completed' : 'expired')))
    expect(new Set(shown.slice(30))).toEqual(new Set(['expired']))
    expect(ended).toBe(shown.filter((status) => status === 'expired').length)
    expect(await wallet.respond(open[100].wallet_uri)).toMatchObject({ http_status: 410 })
    expect(await wallet.respond(other.wallet_uri)).toMatchObject({ http_status: 200 })
    const ends = (await readAuditLog(ctx, tenant_id)).filter(({ action }) =>
      ['verification.cancelled', 'verification.completed'].includes(action),
    )
    expect(ends).toHaveLength(open.length)
    expect(new Set(ends.map(({ subject }) => subject))).toEqual(new Set(open.map(({ id }) => id)))
    expect(ends.filter(({ action }) => action === 'verification.cancelled')).toMatchObject(
      Array.from({ length: ended }, () => ({ actor: 'operator', actor_name: 'ada' })),
    )
    const detail = (await signIn(service, merchant)).call('getVerification', {
      params: { environment: 'test', id: open[100].id },
    })
    expect((await detail).body.timeline.map(({ kind }: { kind: string }) => kind)).toContain(
      'cancelled_by_operator',
    )
  },
)
