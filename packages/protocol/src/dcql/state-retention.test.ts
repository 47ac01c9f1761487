import { expect, test } from 'vitest'
import type { TemplateRules } from '../template/template.ts'
import { stateRetention } from './state-retention.ts'

const query = {
  credentials: [
    {
      id: 'mdl',
      format: 'mso_mdoc',
      meta: {},
      claims: [
        { path: ['n', 'a'] },
        { path: ['n', 'b'], intent_to_retain: false },
        { path: ['n', 'c'], intent_to_retain: true },
      ],
    },
    { id: 'pid', format: 'dc+sd-jwt', meta: {}, claims: [{ path: ['a'] }] },
    { id: 'any', format: 'mso_mdoc', meta: {} },
  ],
  credential_sets: [{ options: [['mdl'], ['pid']] }],
}
const intents = (retains: boolean, rules: TemplateRules = {}) =>
  stateRetention(query, rules, retains).credentials.map(({ claims = [] }) =>
    (claims as { intent_to_retain?: boolean }[]).map(({ intent_to_retain }) => intent_to_retain),
  )

test('every element of an mdoc says what happens to it, whatever the template said', () => {
  expect(intents(true)).toEqual([[true, true, true], [undefined], []])
  expect(intents(false)).toEqual([[false, false, true], [undefined], []])
  expect(stateRetention(query, {}, true).credential_sets).toBe(query.credential_sets)
})

test('[TPL-6] what a claim is derived from is not kept, whatever the tenant keeps and the template said', () => {
  const place = (credential: string, ...path: string[]) => ({ credential, path })
  const rules: TemplateRules = {
    claims: {
      shown: [place('mdl', 'n', 'a')],
      used: [place('mdl', 'n', 'c'), place('pid', 'a'), place('other', 'n', 'b')],
    },
    derive: { age_over_18: { from: 'used', at_least_years: 18 } },
  }
  expect(intents(true, rules)).toEqual([[true, true, false], [undefined], []])
  expect(intents(false, rules)).toEqual([[false, false, false], [undefined], []])
})

test('claims that are no objects stay as they are', () => {
  const malformed = {
    credentials: [
      { format: 'mso_mdoc', claims: [null, 7, ['x']] },
      { format: 'mso_mdoc', claims: 7 },
    ],
  }
  expect(stateRetention(malformed, {}, true)).toEqual(malformed)
})
