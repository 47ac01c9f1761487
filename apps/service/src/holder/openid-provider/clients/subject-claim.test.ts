import type { Template } from '@vidimus/protocol'
import { expect, test } from 'vitest'
import { startService } from '../../../../test/service.ts'
import { signIn } from '../../../../test/sign-in/browser.ts'
import { readBoundTemplates } from '../../../../test/bound-templates.ts'
import { putTemplate } from '../../../templates/put-template.ts'
import { alwaysReturnsClaim } from './create-client.ts'

const builtIn = readBoundTemplates()

const pid = {
  id: 'pid',
  format: 'dc+sd-jwt',
  meta: { vct_values: ['urn:eudi:pid:1'] },
  claims: [
    { id: 'number', path: ['personal_administrative_number'] },
    { id: 'name', path: ['family_name'] },
  ],
}
const mdl = {
  id: 'mdl',
  format: 'mso_mdoc',
  meta: { doctype_value: 'org.iso.18013.5.1.mDL' },
  claims: [{ path: ['org.iso.18013.5.1', 'document_number'] }],
}
const subject = 'personal_administrative_number'
const template = (query: Template['query'], rules: Partial<Template> = {}): Template => ({
  name: 'Person',
  description: 'Who someone is',
  query,
  ...rules,
})

test.each([
  ['a claim of the only credential', template({ credentials: [pid] }), subject, true],
  ['a claim of one of several credentials', template({ credentials: [pid, mdl] }), subject, true],
  ['an element of an mdoc', template({ credentials: [mdl] }), 'document_number', true],
  ['the name space of an mdoc', template({ credentials: [mdl] }), 'org.iso.18013.5.1', false],
  ['a claim that is not requested', template({ credentials: [pid] }), 'email', false],
  [
    'the name of a member of every object',
    template({ credentials: [pid] }, { claims: {} }),
    'toString',
    false,
  ],
  [
    'a claim that a wallet may leave out',
    template({ credentials: [{ ...pid, claim_sets: [['number', 'name'], ['name']] }] }),
    subject,
    false,
  ],
  [
    'a claim of every set',
    template({ credentials: [{ ...pid, claim_sets: [['number', 'name'], ['number']] }] }),
    subject,
    true,
  ],
  [
    'a claim of one of two alternatives',
    template({ credentials: [pid, mdl], credential_sets: [{ options: [['pid'], ['mdl']] }] }),
    subject,
    false,
  ],
  [
    'a claim of every alternative, under one name',
    template(
      { credentials: [pid, mdl], credential_sets: [{ options: [['pid'], ['mdl']] }] },
      {
        claims: {
          number: [
            { credential: 'pid', path: ['personal_administrative_number'] },
            { credential: 'mdl', path: ['org.iso.18013.5.1', 'document_number'] },
          ],
        },
      },
    ),
    'number',
    true,
  ],
  [
    'a claim of an optional set',
    template({
      credentials: [pid, mdl],
      credential_sets: [{ options: [['mdl']] }, { options: [['pid']], required: false }],
    }),
    subject,
    false,
  ],
  [
    'a claim that a wallet may leave out and that must not be empty',
    template(
      { credentials: [{ ...pid, claim_sets: [['number', 'name'], ['name']] }] },
      { must: { [subject]: { not_empty: true } } },
    ),
    subject,
    true,
  ],
  [
    'a claim with one fixed value',
    template({ credentials: [pid] }, { must: { family_name: { equals: 'Keller' } } }),
    'family_name',
    false,
  ],
  ['a claim under its old name', builtIn.get('identity_basic'), 'birthdate', false],
  ['a claim of a built-in template', builtIn.get('identity_basic'), 'birth_date', true],
  ['what is derived', builtIn.get('age_over_18'), 'age_over_18', false],
])('%s', (_title, given, claim, expected) => {
  if (given === undefined) throw new Error('there is no such template')
  expect(alwaysReturnsClaim(given, claim)).toBe(expected)
})

test('a claim that not every template always returns is refused, at creation and at a change', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  await putTemplate(service.ctx, { key: 'person', template: template({ credentials: [pid] }), by })
  const owner = await signIn(service, merchant)
  const here = { environment: 'test' }
  const create = (change: object) =>
    owner.call('createOpenIdClient', {
      params: here,
      body: { name: 'Forum', redirect_uris: ['https://forum.example/'], ...change },
    })

  const refused = await create({ templates: ['person', 'age_over_18'], subject_claim: subject })
  expect(refused.body.error).toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('age_over_18'),
  })
  const { status, body } = await create({ templates: ['person'], subject_claim: subject })
  expect([status, body.client.subject_claim]).toEqual([201, subject])
  const change = (json: object) =>
    owner.call('changeOpenIdClient', { params: { ...here, id: body.client.id }, body: json })
  expect((await change({ templates: ['person', 'age_over_18'] })).status).toBe(400)
  expect((await change({ subject_claim: 'email' })).status).toBe(400)
  expect((await change({ templates: ['age_over_18'], subject_claim: null })).status).toBe(200)
})
