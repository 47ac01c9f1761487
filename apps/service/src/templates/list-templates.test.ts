import { builtInTemplates, type UsableTemplate } from '@vidimus/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pairDevice } from '../../test/pair-device.ts'
import { startService, type Service } from '../../test/service.ts'
import { readBuiltInTemplates } from './built-in/read-built-in.ts'
import { putTemplate } from './put-template.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const template = (name: string) => ({
  name,
  description: 'Whether someone may ride for less',
  query: {
    credentials: [
      {
        id: 'pid',
        format: 'dc+sd-jwt',
        meta: { vct_values: ['urn:eudi:pid:1'] },
        claims: [{ path: ['family_name'] }, { path: ['address', 'locality'] }],
      },
    ],
  },
})

test('the list has every built-in template and the own ones, with version and claims', async () => {
  const merchant = await service.tenant()
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  await putTemplate(service.ctx, { key: 'ticket', template: template('Ticket'), by })
  const { status, body } = await merchant.get('/v1/templates')
  expect(status).toBe(200)
  const keys = body.data.map(({ key }: { key: string }) => key)
  expect(keys).toEqual([...readBuiltInTemplates().keys(), 'ticket'])
  const builtInClaims = body.data.slice(0, -1).map((each: UsableTemplate) => [each.key, each.claims])
  expect(Object.fromEntries(builtInClaims)).toEqual(builtInTemplates)
  const own = body.data.at(-1)
  expect(own).toEqual({
    key: 'ticket',
    name: 'Ticket',
    description: 'Whether someone may ride for less',
    version: expect.stringMatching(/^[0-9a-f]{16}$/),
    built_in: false,
    claims: ['family_name', 'locality'],
    updated_at: expect.any(String),
  })
  expect(body.data.find(({ key }: { key: string }) => key === 'age_over_18')).toMatchObject({
    built_in: true,
    claims: ['age_over_18'],
  })
  const builtIn = readBuiltInTemplates().get('age_over_18')
  await putTemplate(service.ctx, { key: 'own_age', template: { ...builtIn }, by })
  const copied = (await merchant.get('/v1/templates')).body.data.find(
    ({ key }: { key: string }) => key === 'own_age',
  )
  expect(copied).toMatchObject({ built_in: false, claims: ['age_over_18'] })
  await putTemplate(service.ctx, { key: 'ticket', template: template('Ticket 2'), by })
  const changed = (await merchant.get('/v1/templates')).body.data.at(-1)
  expect([changed.name, changed.version === own.version]).toEqual(['Ticket 2', false])
})

test('a device gets the templates it may use, another tenant none of these, a key without the scope a refusal', async () => {
  const merchant = await service.tenant()
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  await putTemplate(service.ctx, { key: 'ticket', template: template('Ticket'), by })
  const { device } = await pairDevice(service, merchant, {
    name: 'Till',
    allowed_templates: ['ticket', 'age_over_18'],
  })
  const keys = (await device.get('/v1/templates')).body.data.map(({ key }: { key: string }) => key)
  expect(keys).toEqual(['age_over_18', 'ticket'])
  expect((await (await service.tenant()).get('/v1/templates')).text).not.toContain('ticket')
  const reader = await merchant.as({ scopes: ['verifications:read'] })
  const { status, body } = await reader.get('/v1/templates')
  expect([status, body.error.code]).toEqual([403, 'insufficient_scope'])
})
