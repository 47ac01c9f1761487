import { expect, test } from 'vitest'
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
const intents = (retains: boolean) =>
  stateRetention(query, retains).credentials.map(({ claims = [] }) =>
    (claims as { intent_to_retain?: boolean }[]).map(({ intent_to_retain }) => intent_to_retain),
  )

test('every element of an mdoc says what happens to it, whatever the template said', () => {
  expect(intents(true)).toEqual([[true, true, true], [undefined], []])
  expect(intents(false)).toEqual([[false, false, true], [undefined], []])
  expect(stateRetention(query, true).credential_sets).toBe(query.credential_sets)
})

test('claims that are no objects stay as they are', () => {
  const malformed = {
    credentials: [
      { format: 'mso_mdoc', claims: [null, 7, ['x']] },
      { format: 'mso_mdoc', claims: 7 },
    ],
  }
  expect(stateRetention(malformed, true)).toEqual(malformed)
})
