import { afterAll, beforeAll, expect, test } from 'vitest'
import { pairDevice } from '../../test/pair-device.ts'
import { respondUntilAccepted } from '../../test/respond-until-accepted.ts'
import { startService, type Service } from '../../test/service.ts'
import { sql } from '../engine/db/sql.ts'
import { readBuiltInTemplates } from './built-in/read-built-in.ts'
import { putTemplate } from './put-template.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const anyAge = readBuiltInTemplates().get('age_over')
const byCountry = {
  ...anyAge,
  parameters: {
    country: { type: 'string', enum: ['AT', 'DE', 'FR'] },
    age: { by: 'country', values: { AT: 16, FR: 21 }, default: 18 },
  },
}
const setUp = async () => {
  const merchant = await service.tenant()
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  expect(await putTemplate(service.ctx, { by, key: 'by_country', template: byCountry })).toEqual([])
  const outcome = async (body: object, wallet: { persona: string; format?: 'mso_mdoc' | 'dc+sd-jwt' }) => {
    const created = await merchant.post('/v1/verifications', body)
    expect(created.status).toBe(201)
    await respondUntilAccepted(service, created.body.wallet_uri, wallet)
    const { status, error, claims } = (await merchant.get(`/v1/verifications/${created.body.id}`)).body
    return error?.code ?? claims ?? status
  }
  return { merchant, by, outcome }
}

test.each(['mso_mdoc', 'dc+sd-jwt'] as const)(
  '[TPL-7] a creation chooses the age that is asked for, as %s',
  async (format) => {
    const { outcome } = await setUp()
    const ask = (age: number, persona: string) =>
      outcome({ template: 'age_over', parameters: { age } }, { persona, format })
    expect(await ask(25, 'adult')).toEqual({ age_over_25: true })
    expect(await ask(17, 'minor')).toEqual({ age_over_17: true })
    expect(await ask(19, 'minor')).toBe('requirement_not_met')
    expect(await ask(65, 'adult')).toBe('requirement_not_met')
    expect(await outcome({ template: 'age_over' }, { persona: 'adult', format })).toEqual({
      age_over_18: true,
    })
  },
)

test('[TPL-7] the country decides the age', async () => {
  const { outcome } = await setUp()
  const ask = (country: string) =>
    outcome({ template: 'by_country', parameters: { country } }, { persona: 'minor' })
  expect(await ask('AT')).toEqual({ age_over_16: true })
  expect(await ask('DE')).toBe('requirement_not_met')
  expect(await ask('FR')).toBe('requirement_not_met')
})

test.each([
  [{ template: 'age_over', parameters: { age: 100 } }, 'an integer from 10 to 99'],
  [{ template: 'age_over', parameters: { age: '18' } }, 'an integer from 10 to 99'],
  [{ template: 'age_over', parameters: { years: 18 } }, 'may have age'],
  [{ template: 'age_over', parameters: { age: 1.5 } }, 'parameters'],
  [{ template: 'age_over', parameters: { age: null } }, 'parameters'],
  [{ template: 'age_over', parameters: [] }, 'parameters'],
  [{ template: 'age_over_18', parameters: { age: 18 } }, 'this template has none'],
  [{ template: 'by_country' }, 'parameters.country: is missing'],
  [{ template: 'by_country', parameters: { country: 'PL' } }, 'one of AT, DE, FR'],
  [{ template: 'by_country', parameters: { country: 'AT', age: 3 } }, 'may have country'],
  [{ query: { credentials: [{}] }, parameters: { age: 18 } }, 'Only a template has parameters and'],
])('%j is refused', async (body, message) => {
  const { merchant } = await setUp()
  const { status, body: refused } = await merchant.post('/v1/verifications', body)
  expect([status, refused.error.code]).toEqual([400, 'invalid_request'])
  expect(refused.error.message).toContain(message)
})

test('equal values make one version; a change of the template does not reach it', async () => {
  const { merchant, by } = await setUp()
  const versionOf = async (body: object) => {
    const created = await merchant.post('/v1/verifications', body)
    const [row] = await service.ctx.db.query<{ version: string }>(sql`
      select encode(template_version, 'hex') as version from verification_sessions where id = ${created.body.id}`)
    return row?.version
  }
  const sixteen = await versionOf({ template: 'by_country', parameters: { country: 'AT' } })
  expect(await versionOf({ template: 'by_country', parameters: { country: 'AT' } })).toBe(sixteen)
  const byDefault = await versionOf({ template: 'age_over' })
  expect(await versionOf({ template: 'age_over', parameters: { age: 18 } })).toBe(byDefault)
  expect(await versionOf({ template: 'age_over', parameters: { age: 19 } })).not.toBe(byDefault)

  const stricter = {
    ...byCountry,
    parameters: { ...byCountry.parameters, age: { by: 'country', values: {}, default: 40 } },
  }
  expect(await putTemplate(service.ctx, { by, key: 'by_country', template: stricter })).toEqual([])
  expect(await versionOf({ template: 'by_country', parameters: { country: 'AT' } })).not.toBe(sixteen)
})

test('[IDEM-2] a repeated key with another parameter is another body', async () => {
  const { merchant } = await setUp()
  const post = (age: number) =>
    merchant.post(
      '/v1/verifications',
      { template: 'age_over', parameters: { age } },
      { headers: { 'idempotency-key': 'same' } },
    )
  const first = await post(30)
  expect(first.status).toBe(201)
  expect((await post(30)).body).toEqual(first.body)
  expect((await post(31)).body.error.code).toBe('idempotency_key_reused')
})

test('the list says what can be given; a device, which gives nothing, sees the defaults', async () => {
  const { merchant } = await setUp()
  const find = (data: { key: string }[], key: string) => data.find((each) => each.key === key)
  const { data } = (await merchant.get('/v1/templates')).body
  expect(find(data, 'age_over')).toMatchObject({
    name: 'Age over {age}',
    claims: ['age_over_{age}'],
    parameters: { age: { type: 'integer', min: 10, max: 99, default: 18 } },
  })
  expect(find(data, 'by_country')).toMatchObject({ parameters: { country: byCountry.parameters.country } })
  expect(find(data, 'by_country')).not.toHaveProperty('parameters.age')
  expect(find(data, 'age_over_18')).not.toHaveProperty('parameters')

  const { device } = await pairDevice(service, merchant, { name: 'Till', allowed_templates: ['age_over'] })
  const { body } = await device.get('/v1/templates')
  expect(body.data).toEqual([
    expect.objectContaining({ key: 'age_over', name: 'Age over 18', claims: ['age_over_18'] }),
  ])
  expect(body.data[0]).not.toHaveProperty('parameters')
  expect((await device.post('/v1/verifications', { template: 'age_over' })).status).toBe(201)
})

test('a template that needs a value is refused to devices', async () => {
  const { merchant } = await setUp()
  const { status, body } = await merchant.post('/v1/devices', {
    name: 'Till',
    allowed_templates: ['age_over', 'by_country'],
  })
  expect([status, body.error.code]).toEqual([400, 'invalid_request'])
  expect(body.error.message).toContain('The template by_country needs parameters.country')
})
