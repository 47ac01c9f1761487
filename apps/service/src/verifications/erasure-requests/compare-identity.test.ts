import type { Json } from '@vidimus/protocol'
import { describe, expect, test } from 'vitest'
import { type DisclosedCredential, asksForIdentity, compareIdentities } from './compare-identity.ts'

const names = { family_name: 'Tamm', given_name: 'Mari' }
const born = '1984-02-29'

function pid(claims: Record<string, Json> = {}, vct = 'urn:eudi:pid:1'): DisclosedCredential {
  return { format: 'dc+sd-jwt', doctype_or_vct: vct, claims: { ...names, birthdate: born, ...claims } }
}

function mdoc(elements: Record<string, Json> = {}, doctype = 'org.iso.18013.5.1.mDL'): DisclosedCredential {
  const claims = { 'org.iso.18013.5.1': { ...names, birth_date: born, ...elements } }
  return { format: 'mso_mdoc', doctype_or_vct: doctype, claims }
}

const number = { personal_administrative_number: '48402290014' }

describe('two documents are', () => {
  test.each<[string, DisclosedCredential, DisclosedCredential, string]>([
    ['of namesakes if names and birth date agree', pid(), mdoc(), 'namesakes'],
    ['of one person if the number agrees too', pid(number), mdoc(number), 'same_person'],
    ['compared by what both have', pid(number), pid(), 'namesakes'],
    [
      'of two people if the number differs',
      pid(number),
      pid({ personal_administrative_number: '1' }),
      'none',
    ],
    [
      'of two people if the name at birth differs',
      pid({ birth_family_name: 'Kask' }),
      pid({ birth_family_name: 'Saar' }),
      'none',
    ],
    ['of two people if the birth date differs', pid(), pid({ birthdate: '1984-03-01' }), 'none'],
    ['of nobody known without a birth date', pid(number), mdoc({ ...number, birth_date: '' }), 'none'],
    ['of nobody known without names', { ...pid(), claims: number }, { ...pid(), claims: number }, 'none'],
    [
      'compared by number if they are of one type',
      mdoc({ document_number: 'D1' }),
      mdoc({ document_number: 'D1' }),
      'same_person',
    ],
    [
      'not compared by number if they are of two',
      pid({ document_number: 'P1' }),
      mdoc({ document_number: 'D1' }),
      'namesakes',
    ],
    [
      'different if those of one type have two numbers',
      mdoc({ document_number: 'D1' }),
      mdoc({ document_number: 'D2' }),
      'none',
    ],
    [
      'compared in any spelling',
      pid({ family_name: 'TÄMM' }),
      mdoc({ family_name: 'Таmm', family_name_latin1: 'Tamm' }),
      'namesakes',
    ],
    ['compared without the time of a date', pid(), mdoc({ birth_date: `${born}T00:00:00Z` }), 'namesakes'],
    ['compared only in texts', pid(number), pid({ personal_administrative_number: { a: 1 } }), 'namesakes'],
  ])('%s', (_, one, other, expected) => {
    expect(compareIdentities([one], [other])).toBe(expected)
    expect(compareIdentities([other], [one])).toBe(expected)
  })
})

test('documents of several people are not mixed', () => {
  const [parent, child] = [pid(number), pid({ given_name: 'Liis', birthdate: '2015-05-05' })]
  const mixed = { ...child, claims: { ...child.claims, ...number } }
  expect(compareIdentities([parent, child], [mixed])).toBe('namesakes')
  expect(compareIdentities([parent], [mixed, child])).toBe('none')
  expect(compareIdentities([child, parent], [child, parent])).toBe('same_person')
  expect(compareIdentities([], [parent])).toBe('none')
  expect(compareIdentities([parent], [])).toBe('none')
})

describe('a template identifies people', () => {
  const asking = (...elements: string[]) => ({
    id: 'pid',
    format: 'dc+sd-jwt',
    meta: { vct_values: ['urn:eudi:pid:1'] },
    claims: elements.map((element) => ({ id: element, path: [element] })),
  })
  const all = ['family_name', 'given_name', 'birthdate']
  const place = { credential: 'pid', path: ['birthdate'] }
  test.each([
    ['with names and birth date', { credentials: [asking(...all)] }, {}, true],
    ['not without given names', { credentials: [asking('family_name', 'birthdate')] }, {}, false],
    ['not if it asks for everything without naming it', { credentials: [asking()] }, {}, false],
    [
      'not if each of two documents shows a part',
      { credentials: [asking('family_name'), { ...asking('given_name', 'birthdate'), id: 'b' }] },
      {},
      false,
    ],
    [
      'not if the wallet may show less',
      { credentials: [{ ...asking(...all), claim_sets: [all, ['family_name']] }] },
      {},
      false,
    ],
    [
      'if one of its documents does',
      {
        credentials: [asking('family_name'), { ...asking(...all), id: 'b' }],
        credential_sets: [{ options: [['pid'], ['b']] }],
      },
      {},
      true,
    ],
    [
      'not if it drops the birth date',
      { credentials: [asking(...all)] },
      { claims: { birth_date: [place] }, derive: { adult: { from: 'birth_date', at_least_years: 18 } } },
      false,
    ],
  ])('%s', (_, query, rules, expected) => {
    expect(asksForIdentity({ name: '', description: '', query, ...rules })).toBe(expected)
  })
})
