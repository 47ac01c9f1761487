import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type Merchant, type Service } from '../../test/service.ts'
import { signIn } from '../../test/sign-in/browser.ts'
import { openWallet } from '../../test/wallet.ts'
import { readAuditLog } from '../../test/audit/audit.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const here = { environment: 'test' }

async function openEditor(running: Service, merchant: Merchant) {
  const owner = await signIn(running, merchant)
  const copy = (key: string) =>
    owner.call('duplicateTemplate', { params: { key: 'age_over_18' }, body: { key } })
  const remove = (key: string) => owner.call('deleteTemplate', { params: { key } })
  return { owner, copy, remove }
}

test('a deleted template is unknown from then on; a verification that was created with it is answered', async () => {
  const merchant = await service.tenant()
  const { owner, copy, remove } = await openEditor(service, merchant)
  await copy('bar')
  const { body: verification } = await merchant.post('/v1/verifications', { template: 'bar' })

  expect((await remove('bar')).status).toBe(200)

  const refused = await merchant.post('/v1/verifications', { template: 'bar' })
  expect(refused.body.error?.code).toBe('unknown_template')
  expect((await owner.call('getTemplate', { params: { key: 'bar' } })).status).toBe(404)
  await (await openWallet(service.ctx, service.address)).respond(verification.wallet_uri)
  expect((await merchant.get(`/v1/verifications/${verification.id}`)).body).toMatchObject({
    status: 'completed',
    template: 'bar',
    claims: { age_over_18: true },
  })
  const entries = await readAuditLog(service.ctx, merchant.tenant_id)
  expect(entries.find(({ action }) => action === 'template.deleted')).toMatchObject({ subject: 'bar' })
  expect((await remove('bar')).body.error?.code).toBe('template_not_found')
  expect((await copy('bar')).status).toBe(201)
})

test('a template that a device needs, a built-in one and another tenant’s are not deleted', async () => {
  const merchant = await service.tenant()
  const { owner, copy, remove } = await openEditor(service, merchant)
  const stranger = await openEditor(service, await service.tenant())
  await copy('bar')
  const { body } = await owner.call('registerDevice', {
    params: here,
    body: { name: 'Till 3', allowed_templates: ['age_over_18', 'bar'] },
  })

  const needed = await remove('bar')
  expect([needed.status, needed.body.error?.code]).toEqual([409, 'template_in_use'])
  expect(needed.body.error?.message).toContain('“Till 3” (test)')
  expect((await remove('age_over_18')).status).toBe(400)
  expect((await stranger.remove('bar')).body.error?.code).toBe('template_not_found')
  const support = await signIn(service, { ...merchant, role: 'support' })
  expect((await support.call('deleteTemplate', { params: { key: 'bar' } })).status).toBe(403)

  await owner.call('changeDevice', {
    params: { ...here, id: body.device.id },
    body: { allowed_templates: ['age_over_18'] },
  })
  expect((await remove('bar')).status).toBe(200)
})

test('a device that gets the template while it is deleted either has it or is refused', async () => {
  const merchant = await service.tenant()
  const { owner, copy, remove } = await openEditor(service, merchant)
  const { body } = await owner.call('registerDevice', {
    params: here,
    body: { name: 'Till', allowed_templates: ['age_over_18'] },
  })
  const allow = (key: string) =>
    owner.call('changeDevice', {
      params: { ...here, id: body.device.id },
      body: { allowed_templates: ['age_over_18', key] },
    })
  let kept = 0
  const rounds = 20
  for (let round = 0; round < rounds; round += 1) {
    const key = `bar_${round}`
    await copy(key)
    const [allowed, removed] = await Promise.all([allow(key), remove(key)])
    const exists = (await owner.call('getTemplate', { params: { key } })).status === 200
    expect([removed.status === 200, allowed.status === 200]).toEqual([!exists, exists])
    if (exists) kept += 1
  }
  expect(kept).toBeLessThanOrEqual(rounds)
})
