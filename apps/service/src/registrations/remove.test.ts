import { afterAll, expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { runSqlText } from '../../test/database/clock.ts'
import { signIn } from '../../test/sign-in/browser.ts'
import { startService } from '../../test/service.ts'
import { newRegistration } from '../../test/trust/registrations.ts'
import { sql } from '../platform/db/sql.ts'
import { assignRegistration } from '../templates/assign-registration.ts'
import { keepVerifierInfo } from '../trust/identity/keep-verifier-info.ts'
import { addRegistration } from './add.ts'
import { listTenantRegistrations } from './list.ts'
import { removeRegistration } from './remove.ts'
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

test('[REG-14] a registration that a template names is not removed', async () => {
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

test('[REG-14] of a removal and an assignment at the same moment, exactly one succeeds', async () => {
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

test('[REG-10] a tenant has at most 20 registrations, however many are added at once, and one default', async () => {
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

test('[REG-17] the migration makes a default registration of what was set before, and nothing of what was not', async () => {
  const [one, two] = [await service.tenant(), await service.tenant()]
  const info = await keepVerifierInfo(ctx.db, [{ format: 'jwt', data: 'registration' }])
  for (const [{ tenant_id }, verifier_info] of [
    [one, info],
    [two, null],
  ] as const)
    await ctx.db.execute(
      sql`insert into tenant_identities (tenant_id, verifier_info) values (${tenant_id}, ${verifier_info}::bytea)`,
    )
  const migration = readFileSync(new URL('../../migrations/0043_registrations.sql', import.meta.url), 'utf8')
  const [statement = ''] = /^insert into registrations [^;]+;/m.exec(migration) ?? []
  await runSqlText(ctx.db, statement)

  const { body } = await one.post('/v1/verifications', { template: 'age_over_18' })
  const [session] = await ctx.db.query<{ certificate: Buffer }>(
    sql`select certificate from verification_sessions where id = ${body.id}`,
  )
  expect(session?.certificate.subarray(32)).toEqual(info)
  expect((await listTenantRegistrations(ctx, one.tenant_id)).data).toMatchObject([
    { name: 'Imported', default: true, state: 'unchecked' },
  ])
  expect((await listTenantRegistrations(ctx, two.tenant_id)).data).toEqual([])
})
