import { afterAll, beforeAll, expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { findTables } from '../../../test/database/find-text.ts'
import { pairDevice } from '../../../test/pair-device.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { signIn } from '../../../test/sign-in/browser.ts'
import { newAccessCertificate } from '../../../test/trust/access-certificate.ts'
import { openWallet } from '../../../test/wallet.ts'
import { verifyEverything } from '../../audit/verify/verify.ts'
import { flushAudit } from '../../audit/advance.ts'
import { sql } from '../../engine/db/sql.ts'
import { setIdentity } from '../../trust/identity/set-identity.ts'
import { countPastDays } from '../../verifications/figures/count-past-days.ts'
import { deleteTenant } from './delete.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const canary = 'canary-91be'
const name = 'A merchant'

/** Fills as many tables as a tenant can: members, keys, devices, verifications of two days, answers, webhooks, certificates. */
async function fillTenant(running: Service, merchant: Merchant): Promise<void> {
  const owner = await signIn(running, { ...merchant, email: `${canary}@example.com` })
  await owner.call('inviteMember', { body: { email: `second-${canary}@example.com`, role: 'support' } })
  await owner.call('duplicateTemplate', { params: { key: 'age_over_18' }, body: { key: 'own' } })
  await owner.call('changeBrand', { body: { display_name: canary } })
  const { device } = await pairDevice(running, merchant, { name: canary, allowed_templates: ['age_over_18'] })
  const wallet = await openWallet(running.ctx, running.address)
  for (const by of [merchant, device]) {
    const { body } = await by.post(
      '/v1/verifications',
      {
        template: 'age_over_18',
        purpose: canary,
        ...(by === merchant && { webhook_url: 'https://8.8.8.8/hook', metadata: { order: canary } }),
      },
      { headers: { 'idempotency-key': `key-${by === merchant}` } },
    )
    await wallet.respond(body.wallet_uri)
  }
  await merchant.post('/v1/verifications', { template: 'age_over_18', purpose: canary })
  await merchant.delete(
    `/v1/verifications/${(await merchant.post('/v1/verifications', { template: 'own' })).body.id}`,
  )
}

test('[TEN-1] deleting a tenant leaves nothing of it but its audit entries, and other tenants as they were', async () => {
  await using own = await startService()
  const { ctx } = own
  const [merchant, other] = [await own.tenant(), await own.tenant()]
  await fillTenant(own, merchant)
  await fillTenant(own, other)
  const certificate = newAccessCertificate()
  for (const { tenant_id } of [merchant, other]) await setIdentity(ctx, { tenant_id, certificate })
  await setClockOffset(ctx.db, '2 days')
  await countPastDays(ctx)
  for (const by of [merchant, other])
    await by.post('/v1/verifications', { template: 'age_over_18', purpose: canary })
  const theirs = async () => (await other.get('/v1/verifications')).body.data
  const before = await theirs()

  const deleted = await deleteTenant(ctx, { tenant_id: merchant.tenant_id, name })

  expect(deleted).toMatchObject({ verifications: 4 })
  expect(deleted.audit_texts).toBeGreaterThan(5)
  const left = await findTables(ctx.db, merchant.tenant_id)
  expect(left.filter((table) => !/^(?:audit_(?:chains|entries|heads)|usage_counts)$/.test(table))).toEqual([])
  expect((await merchant.get('/v1/verifications')).body.error.code).toBe('invalid_api_key')
  expect(await theirs()).toEqual(before)
  expect((await other.post('/v1/verifications', { template: 'own' })).status).toBe(201)
  await expect(deleteTenant(ctx, { tenant_id: merchant.tenant_id, name })).rejects.toThrow(
    'There is no tenant',
  )

  await deleteTenant(ctx, { tenant_id: other.tenant_id, name })
  expect(await findTables(ctx.db, canary)).toEqual([])
})

test('[TEN-1] the chain of a deleted tenant still verifies, and texts that come back are reported', async () => {
  await using own = await startService()
  const { ctx } = own
  const merchant = await own.tenant()
  await fillTenant(own, merchant)
  const { tenant_id } = merchant
  await flushAudit(ctx, tenant_id)
  // The name keeps it from being deleted with the tenant.
  await ctx.db.execute(
    sql`create table audit_backup as select * from audit_texts where tenant_id = ${tenant_id}`,
  )

  await deleteTenant(ctx, { tenant_id, name })

  expect(await verifyEverything(ctx)).toMatchObject({ valid: true, faults: [] })
  await ctx.db.execute(sql`insert into audit_texts select * from audit_backup`)
  const { valid, faults } = await verifyEverything(ctx)
  expect(valid).toBe(false)
  expect(faults.join()).toContain('the tenant was deleted, but')
})

test('a wrong name deletes nothing, and an interrupted deletion can be continued', async () => {
  const { ctx } = service
  const merchant = await service.tenant()
  const { tenant_id } = merchant
  await fillTenant(service, merchant)
  for (const wrong of ['a merchant', 'A merchant ', 'Another'])
    await expect(deleteTenant(ctx, { tenant_id, name: wrong })).rejects.toThrow('another name')
  expect((await merchant.get('/v1/verifications')).status).toBe(200)

  let calls = 0
  const interrupted = deleteTenant(ctx, {
    tenant_id,
    name,
    onProgress: () => {
      calls += 1
      if (calls === 2) throw new Error('interrupted')
    },
  })
  await expect(interrupted).rejects.toThrow('interrupted')
  expect((await merchant.get('/v1/verifications')).status).toBe(401)
  await deleteTenant(ctx, { tenant_id, name })
  expect(await findTables(ctx.db, canary)).toEqual([])
})

test('whatever requests of the tenant run meanwhile, nothing of it is left', async () => {
  const { ctx } = service
  const merchant = await service.tenant()
  const { tenant_id } = merchant
  const wallet = await openWallet(ctx, service.address)
  const open = await Promise.all(
    Array.from({ length: 20 }, () =>
      merchant.post('/v1/verifications', { template: 'age_over_18', webhook_url: 'https://8.8.8.8/hook' }),
    ),
  )
  const requests = [
    ...open.map(({ body }) => wallet.respond(body.wallet_uri)),
    ...Array.from({ length: 30 }, () =>
      merchant.post('/v1/verifications', { template: 'age_over_18', purpose: canary }),
    ),
  ]
  await deleteTenant(ctx, { tenant_id, name })
  await Promise.allSettled(requests)

  const left = await findTables(ctx.db, tenant_id)
  expect(left.filter((table) => !/^(?:audit_|usage_counts$)/.test(table))).toEqual([])
})
