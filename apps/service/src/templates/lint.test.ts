import { Lint } from '@vidimus/contract'
import { expect, test } from 'vitest'
import { readBuiltInTemplates } from './built-in/read-built-in.ts'
import { lintTemplate } from './lint.ts'

const pid = { id: 'pid', format: 'dc+sd-jwt', meta: { vct_values: ['urn:eudi:pid:1'] } }
const mdoc = { id: 'mdoc', format: 'mso_mdoc', meta: { doctype_value: 'eu.europa.ec.eudi.pid.1' } }
const inMdoc = (name: string) => ({ path: ['eu.europa.ec.eudi.pid.1', name] })
const either = { credential_sets: [{ options: [['pid'], ['mdoc']] }] }
const template = (query: object, more: object = {}) => ({
  name: 'T',
  description: 'A template',
  query,
  ...more,
})
const names = { family_name: [{ credential: 'pid', path: ['family_name'] }] }

/** Each rule that reads nothing but the template, with a template that violates it and one that does not. */
const rules: Record<Exclude<Lint['rule'], 'outside_registration'>, [trips: unknown, does_not: unknown]> = {
  invalid: [{ name: 'x' }, template({ credentials: [{ ...pid, claims: [{ path: ['family_name'] }] }] })],
  fails_on_base_pid: [
    template({ credentials: [{ ...pid, claims: [{ path: ['age_equal_or_over', '18'] }] }] }),
    template({ credentials: [{ ...pid, claims: [{ path: ['birthdate'] }] }] }),
  ],
  optional_claim_in_flat_list: [
    template({ credentials: [{ ...pid, claims: [{ path: ['family_name'] }, { path: ['email'] }] }] }),
    template({
      credentials: [
        {
          ...pid,
          claims: [
            { id: 'name', path: ['family_name'] },
            { id: 'email', path: ['email'] },
          ],
          claim_sets: [['name', 'email'], ['name']],
        },
      ],
    }),
  ],
  asks_more_than_needed: [
    template(
      { credentials: [{ ...pid, claims: [{ path: ['family_name'] }, { path: ['given_name'] }] }] },
      { claims: names },
    ),
    template({ credentials: [{ ...pid, claims: [{ path: ['family_name'] }] }] }, { claims: names }),
  ],
  all_sets_optional: [
    template({
      credentials: [{ ...pid, claims: [{ path: ['family_name'] }] }],
      credential_sets: [{ options: [['pid']], required: false }],
    }),
    template({
      credentials: [{ ...pid, claims: [{ path: ['family_name'] }] }],
      credential_sets: [{ options: [['pid']], required: false }, { options: [['pid']] }],
    }),
  ],
  missing_other_format: [
    template({ credentials: [{ ...pid, claims: [{ path: ['family_name'] }] }] }),
    template({
      credentials: [
        { ...pid, claims: [{ path: ['family_name'] }] },
        { ...mdoc, claims: [inMdoc('family_name')] },
      ],
      ...either,
    }),
  ],
}

const found = (given: unknown) => new Set<string>(lintTemplate(given).map(({ rule }) => rule))

test.each(Object.entries(rules))(
  '%s is reported where it applies, and nowhere else',
  (rule, [trips, fine]) => {
    expect(found(trips).has(rule)).toBe(true)
    expect(found(fine).has(rule)).toBe(false)
  },
)

test('every rule of the contract is covered', () => {
  expect(Object.keys(rules).toSorted()).toEqual(
    Lint.shape.rule.exclude(['outside_registration']).options.toSorted(),
  )
})

test('no built-in template has an error', () => {
  const wrong = Array.from(readBuiltInTemplates(), ([key, each]) => ({
    key,
    lints: lintTemplate(each),
  }))
  expect(wrong.filter(({ lints }) => lints.some(({ level }) => level === 'error'))).toEqual([])
})

test('a range of birth dates is better asked as an age; one of other dates is not', () => {
  const query = {
    credentials: [{ ...pid, claims: [{ path: ['birthdate'] }, { path: ['date_of_expiry'] }] }],
  }
  const claims = {
    born: [{ credential: 'pid', path: ['birthdate'] }],
    expiry_date: [{ credential: 'pid', path: ['date_of_expiry'] }],
  }
  const ask = (must: object) => lintTemplate(template(query, { claims, must })).map(({ place }) => place)
  expect(ask({ born: { max: '2008-01-01' } })).toContain('must.born')
  expect(ask({ expiry_date: { min: '2026-01-01' } })).not.toContain('must.expiry_date')
})
