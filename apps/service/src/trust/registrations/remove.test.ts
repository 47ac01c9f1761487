import { afterAll, expect, test } from 'vitest'
import { signIn } from '../../../test/sign-in/browser.ts'
import { startService } from '../../../test/service.ts'
import { newRegistration } from '../../../test/trust/registrations.ts'
import { assignRegistration } from '../../templates/lint.ts'
import { addRegistration } from './add-registration.ts'
import { listTenantRegistrations } from './list-registrations.ts'
import { removeRegistration } from './change-registration.ts'
import { maxRegistrations } from './store.ts'

const service = await startService()
const { ctx } = service
afterAll(() => service[Symbol.asyncDispose]())

async function newOperator() {
  const { tenant_id } = await service.tenant()
  const by = { kind: 'operator', tenant_id } as const
  const add = (purpose: string) => addRegistration(ctx, { by, certificate: newRegistration({ purpose }) })
  return { by, add, tenant_id }
}

test('a registration that a template names is not removed', async () => {
  const { by, add, tenant_id } = await newOperator()
  const { id } = await add('One')
  const owner = await signIn(service, { tenant_id, role: 'owner' })
  await assignRegistration(ctx, { by, key: 'age_over_18', registration_id: id })
  const remove = () => owner.call('removeRegistration', { params: { id } })
  expect(await remove()).toMatchObject({ status: 409, body: { error: { code: 'registration_in_use' } } })
  expect((await listTenantRegistrations(ctx, tenant_id)).data).toMatchObject([{ templates: ['age_over_18'] }])
  await assignRegistration(ctx, { by, key: 'age_over_18', registration_id: null })
  expect(await remove()).toMatchObject({ status: 200, body: { data: [] } })
  expect(await remove()).toMatchObject({ status: 404, body: { error: { code: 'registration_not_found' } } })
})

test('of a removal and an assignment at the same moment, exactly one succeeds', async () => {
  const { by, add, tenant_id } = await newOperator()
  for (let round = 0; round < 10; round += 1) {
    const { id } = await add(`Round ${round}`)
    const outcomes = await Promise.allSettled([
      removeRegistration(ctx, { by, id }),
      assignRegistration(ctx, { by, key: 'age_over_18', registration_id: id }),
    ])
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(1)
    const { data } = await listTenantRegistrations(ctx, tenant_id)
    const left = data.filter((each) => each.id === id)
    expect(left.length).toBe(outcomes[0].status === 'fulfilled' ? 0 : 1)
    await assignRegistration(ctx, { by, key: 'age_over_18', registration_id: null })
    if (left.length > 0) await removeRegistration(ctx, { by, id })
  }
})

test('a tenant has at most 20 registrations, however many are added at once, and one default', async () => {
  const { add, tenant_id } = await newOperator()
  const attempts = maxRegistrations + 4
  const outcomes = await Promise.allSettled(
    Array.from({ length: attempts }, (_, index) => add(`Use ${index}`)),
  )
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  expect(refused).toMatchObject(Array.from({ length: 4 }, () => ({ reason: { code: 'too_many' } })))
  const { data, limit } = await listTenantRegistrations(ctx, tenant_id)
  expect([data.length, limit]).toEqual([maxRegistrations, maxRegistrations])
  expect(data.map((each) => each.default)).toEqual([true, ...Array.from({ length: 19 }, () => false)])
})
