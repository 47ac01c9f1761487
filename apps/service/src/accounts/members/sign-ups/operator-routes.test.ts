import { expect, test } from 'vitest'
import { signInOperator, startServiceWithConsole } from '../../../../test/sign-in/console.ts'
import { signIn } from '../../../../test/sign-in/browser.ts'
import { sql } from '../../../engine/db/sql.ts'

test('operators list who signed up, page by page, approve and refuse; others than owners only look', async () => {
  await using service = await startServiceWithConsole()
  const { db } = service.ctx
  const ids: string[] = []
  for (let n = 0; n < 5; n += 1) {
    const merchant = await service.tenant()
    await signIn(service, { ...merchant, email: `owner${n}@example.com` })
    ids.push(merchant.tenant_id)
    await db.execute(sql`
      update tenants set approval = ${n === 4 ? 'waiting' : 'pending'} where id = ${merchant.tenant_id}`)
  }
  await service.tenant()
  const owner = await signInOperator(service, 'owner')
  const seen: string[] = []
  let after: string | undefined
  do {
    const query = { limit: '2', ...(after !== undefined && { after }) }
    const { status, body } = await owner.call('listSignUps', { query })
    expect([status, body.mode]).toEqual([200, 'off'])
    seen.push(...body.data.map(({ tenant }: { tenant: { id: string } }) => tenant.id))
    after = body.next
  } while (after !== undefined)
  expect(seen).toEqual(ids)
  expect((await owner.call('listSignUps', { query: { after: 'x' } })).status).toBe(400)

  const [approved = '', refused = '', , , closed = ''] = ids
  const approve = await owner.call('approveTenant', { params: { id: approved }, body: {} })
  expect(approve.body).toMatchObject({ approval: 'approved', email: 'owner0@example.com' })
  const body = { reason: 'Not a merchant.' }
  const refuse = await owner.call('refuseTenant', { params: { id: refused }, body })
  expect(refuse.body).toMatchObject({ approval: 'refused', tenant: { state: 'active' } })
  const close = await owner.call('refuseTenant', { params: { id: closed }, body })
  expect(close.body).toMatchObject({ approval: 'refused', tenant: { state: 'closed' } })
  expect((await owner.call('listSignUps')).body.data).toHaveLength(2)
  const again = await owner.call('approveTenant', { params: { id: approved }, body: {} })
  expect(again.body.error.code).toBe('invalid_request')
  const unknown = await owner.call('approveTenant', { params: { id: crypto.randomUUID() }, body: {} })
  expect(unknown.status).toBe(404)

  const support = await signInOperator(service, 'support')
  expect((await support.call('listSignUps')).status).toBe(200)
  expect((await support.call('approveTenant', { params: { id: refused }, body: {} })).status).toBe(403)
})
