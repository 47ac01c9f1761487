import { expect, test } from 'vitest'
import { startProcesses } from '../../../test/processes/processes.ts'
import { startService } from '../../../test/service.ts'
import { createTenant } from '../tenants/create.ts'
import { setTenantPlan } from '../tenants/quota.ts'
import { listPlans, maxPlans, removePlan, setPlan } from './plans.ts'

const plain = { template: 'age_over_18' }

test('a fresh installation has three plans, and a new one begins as the default with what is given', async () => {
  await using service = await startService()
  const names = (await listPlans(service.ctx)).map(({ name, by_default, daily_quota }) => [
    name,
    by_default,
    daily_quota,
  ])
  expect(names).toEqual([
    ['starter', true, 1000],
    ['growth', false, 50_000],
    ['scale', false, 1_000_000],
  ])
  expect(await setPlan(service.ctx, { name: 'trial', daily_quota: 5 })).toMatchObject({
    by_default: false,
    daily_quota: 5,
    keys: 100,
  })
  expect(await setPlan(service.ctx, { name: 'trial', keys: 2, by_default: true })).toMatchObject({
    by_default: true,
    daily_quota: 5,
    keys: 2,
  })
  expect(
    (await listPlans(service.ctx)).filter(({ by_default }) => by_default).map(({ name }) => name),
  ).toEqual(['trial'])
  expect((await createTenant(service.ctx, { name: 'Shop' })).daily_quota).toBe(5)
})

test('a change applies to the next request in every process', { timeout: 60_000 }, async () => {
  await using service = await startProcesses(2)
  const merchant = await service.tenant()
  const create = async () => (await merchant.post('/v1/verifications', plain)).status
  expect([await create(), await create()]).toEqual([201, 201])
  await setPlan(service.ctx, { name: 'starter', daily_quota: 3 })
  expect([await create(), await create(), await create()]).toEqual([201, 429, 429])
  await setTenantPlan(service.ctx, { tenant_id: merchant.tenant_id, plan: 'growth' })
  expect([await create(), await create()]).toEqual([201, 201])
})

test('a plan that tenants have, the default and an unknown one are not removed, and there are never too many', async () => {
  await using service = await startService()
  const { ctx } = service
  const { tenant_id } = await service.tenant()
  await setTenantPlan(ctx, { tenant_id, plan: 'growth' })

  await expect(removePlan(ctx, { name: 'growth' })).rejects.toThrow('Tenants have the plan growth')
  await expect(removePlan(ctx, { name: 'starter' })).rejects.toThrow('is the plan of new tenants')
  await expect(removePlan(ctx, { name: 'none' })).rejects.toThrow('The plans are starter, growth, scale')
  await expect(setTenantPlan(ctx, { tenant_id, plan: 'none' })).rejects.toThrow('Unknown plan none')
  await expect(setPlan(ctx, { name: 'No spaces' })).rejects.toThrow('A plan is named by')
  for (let n = 3; n < maxPlans; n += 1) await setPlan(ctx, { name: `plan${n}` })
  await expect(setPlan(ctx, { name: 'another' })).rejects.toThrow(`There are ${maxPlans} plans`)
  await setPlan(ctx, { name: 'growth', keys: 1 })
  await removePlan(ctx, { name: 'scale' })
  expect(await listPlans(ctx)).toHaveLength(maxPlans - 1)
})

test('of a removal and a tenant that gets the plan at the same time, one succeeds', async () => {
  await using service = await startService()
  const { ctx } = service
  const { tenant_id } = await service.tenant()
  for (let n = 0; n < 20; n += 1) {
    await setTenantPlan(ctx, { tenant_id, plan: 'starter' })
    await setPlan(ctx, { name: 'raced' })
    const [removed, given] = await Promise.allSettled([
      removePlan(ctx, { name: 'raced' }),
      setTenantPlan(ctx, { tenant_id, plan: 'raced' }),
    ])
    expect([removed.status, given.status].toSorted()).toEqual(['fulfilled', 'rejected'])
    const refused = removed.status === 'rejected' ? removed : given
    expect(refused).toMatchObject({ reason: { name: 'Refusal' } })
  }
})
