import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TenantAttention } from '@vidimus/contract'
import { createOperatorToken, signInOperator, startServiceWithConsole } from '../../test/sign-in/console.ts'
import type { SignedInOperator } from '../../test/sign-in/console.ts'
import { caller } from '../../test/caller.ts'
import type { Service } from '../../test/service.ts'
import { raiseAlert, resolveAlert } from '../audit/index.ts'
import { sql } from '../engine/db/sql.ts'
import { maxAttention } from './tenant-attention.ts'

let service: Service
let owner: SignedInOperator
beforeAll(async () => {
  service = await startServiceWithConsole()
  owner = await signInOperator(service)
})
afterAll(() => service[Symbol.asyncDispose]())

const failing = (tenant_id: string, subject: string) =>
  ({
    tenant_id,
    environment: 'live',
    kind: 'endpoint_failing',
    subject,
    details: { host: 'secret-host.example' },
  }) as const

const attentionOf = async (ids: readonly string[]) => {
  const { body } = await owner.call('listAttention')
  const data: TenantAttention[] = body.data
  return data.filter(({ tenant }) => ids.includes(tenant.id)).map(({ kind, count }) => `${kind} ${count}`)
}

test('tenants that wait, were stopped or have open alerts are listed once for each reason, and no longer once it is gone', async () => {
  const { tenant_id } = await service.tenant()
  const quiet = await service.tenant()
  const { db } = service.ctx
  expect(await attentionOf([tenant_id, quiet.tenant_id])).toEqual([])

  await db.transaction(async (tx) => {
    await raiseAlert(tx, failing(tenant_id, 'one'))
    await raiseAlert(tx, failing(tenant_id, 'two'))
  })
  await owner.call('suspendTenant', { params: { id: tenant_id }, body: { reason: 'Unpaid' } })
  await db.execute(sql`update tenants set approval = 'waiting' where id = ${tenant_id}`)
  const found = await attentionOf([tenant_id, quiet.tenant_id])
  expect(new Set(found)).toEqual(new Set(['endpoint_failing 2', 'sign_up_waits 1', 'suspended 1']))
  // What members read of an alert is theirs.
  expect((await owner.call('listAttention')).text).not.toContain('secret-host')

  await db.transaction(async (tx) => {
    for (const subject of ['one', 'two']) {
      const { details: _, ...key } = failing(tenant_id, subject)
      await resolveAlert(tx, key)
    }
  })
  await owner.call('resumeTenant', { params: { id: tenant_id }, body: {} })
  await owner.call('approveTenant', { params: { id: tenant_id }, body: {} })
  expect(await attentionOf([tenant_id])).toEqual([])
})

test('the list is bounded and says so, the newest first; a token of a role may read it', async () => {
  for (let n = 0; n <= maxAttention; n += 1)
    await service.ctx.db.execute(sql`
      insert into tenants (name, plan, approval, created_at)
      select ${`Waits ${n}`}, name, 'waiting', service_now() + ${n}::integer * interval '1 second' from plans limit 1`)
  const { token } = await createOperatorToken(owner, { role: 'billing', name: 'Attention' })
  const { body } = await caller(service.operator_address, token).get('/operator/v1/attention')
  expect([body.data.length, body.more, body.data[0].tenant.name]).toEqual([
    maxAttention,
    true,
    `Waits ${maxAttention}`,
  ])
})
