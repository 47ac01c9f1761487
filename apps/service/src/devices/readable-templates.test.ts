import { bindTemplate } from '@vidimus/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  disclosing,
  here,
  idOf,
  startAccessFixture,
  yesNo,
  type AccessFixture,
} from '../../test/access/fixture.ts'
import { pair } from '../../test/access/make.ts'
import type { SignedInBrowser } from '../../test/sign-in/browser.ts'
import { buildAgeTemplate } from '../templates/built-in/build-age-template.ts'
import { readBuiltInTemplates } from '../templates/built-in/read-built-in.ts'

let fixture: AccessFixture
let support: SignedInBrowser
beforeAll(async () => {
  fixture = await startAccessFixture()
  support = await fixture.join('support')
})
afterAll(() => fixture[Symbol.asyncDispose]())

const register = (by: SignedInBrowser, ...allowed_templates: string[]) =>
  by.call('registerDevice', { params: here, body: { name: 'Till 7', allowed_templates } })
const change = (by: SignedInBrowser, id: string, body: object) =>
  by.call('changeDevice', { params: { ...here, id }, body })
const renew = (by: SignedInBrowser, id: string) =>
  by.call('renewPairingCode', { params: { ...here, id }, body: {} })
const code = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
  body.error?.code ?? status
const bound = bindTemplate(buildAgeTemplate({ strict: true }, []))
const age = 'template' in bound ? bound.template : expect.fail(bound.violation.rule)

test('a member who may not read claims registers, changes and pairs devices only for yes/no templates', async () => {
  expect(code(await register(support, yesNo, disclosing))).toBe('role_not_allowed')
  const own = await register(support, yesNo)
  expect(code(own)).toBe(201)
  const { id } = own.body.device
  expect(code(await change(support, id, { allowed_templates: [disclosing] }))).toBe('role_not_allowed')
  expect(code(await change(support, id, { name: 'Till 8' }))).toBe(200)
  expect(code(await renew(support, id))).toBe(201)

  const owners = (await register(fixture.owner, disclosing)).body.device.id
  expect(code(await renew(support, owners))).toBe('role_not_allowed')
  expect(code(await change(support, owners, { name: 'Till 9' }))).toBe(200)
})

test('somebody with more rights gives such a device more templates only with a new pairing code', async () => {
  const { body } = await register(support, yesNo)
  const { id } = body.device
  const refused = await change(fixture.owner, id, { allowed_templates: [disclosing] })
  expect(code(refused)).toBe('role_not_allowed')
  expect(refused.body.error.message).toContain('Give it a new pairing code first.')
  const renewed = await renew(fixture.owner, id)
  expect(code(await change(fixture.owner, id, { allowed_templates: [disclosing] }))).toBe(200)
  expect(await (await pair(fixture, body.pairing_code))()).toEqual([])
  expect(await (await pair(fixture, renewed.body.pairing_code))()).toContain('read_claims')
})

test('a template that shows claims since it was changed is refused to such a device when it asks', async () => {
  const put = (template: object) =>
    fixture.owner.call('putTemplate', { params: { key: 'door' }, body: { template } })
  expect((await put(age)).body).toMatchObject({ saved: true })
  const { body } = await register(support, 'door')
  const enrolled = (await fixture.anonymous.post('/v1/devices/enroll', { pairing_code: body.pairing_code }))
    .body
  const device = fixture.caller(enrolled.access_token)
  const ask = () => device.post('/v1/verifications', { template: 'door' })
  expect(code(await ask())).toBe(201)

  const name = { path: ['family_name'] }
  const credentials = age.query.credentials.map((each) =>
    each['id'] === 'pid_sd_jwt' ? { ...each, claims: [...(each['claims'] as object[]), name] } : each,
  )
  expect((await put({ ...age, query: { ...age.query, credentials } })).body).toMatchObject({ saved: true })
  expect(code(await ask())).toBe('insufficient_scope')

  // The member's role counts when the device asks.
  const role = async (to: string) =>
    fixture.owner.call('changeRole', { params: { id: await idOf(support) }, body: { role: to } })
  await role('developer')
  expect(code(await ask())).toBe(201)
  await role('support')
  expect(code(await ask())).toBe('invalid_api_key')
})

test('of the built-in templates, those for ages answer yes or no', async () => {
  const accepted: string[] = []
  for (const key of readBuiltInTemplates().keys())
    if ((await register(support, key)).status === 201) accepted.push(key)
  expect(accepted.every((key) => /age_over(_\d\d)?(_strict)?$|age_21$/.test(key))).toBe(true)
  expect(accepted).toEqual(expect.arrayContaining(['age_over_16', 'age_over_18', 'age_over_21']))
  expect(accepted).not.toContain('age_over_18_photo')
})
