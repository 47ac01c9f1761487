import { expect, test } from 'vitest'
import { makePresentedCredential } from '../../../test/presented-credential.ts'
import { applyTemplate } from '../../outcome/apply-template.ts'
import type { CredentialQuery } from '../query.ts'
import { matchCredential } from './match-credential.ts'
import { findNearestAge } from './nearest-age.ts'

const namespace = 'org.iso.18013.5.1'
const licence = (elements: Record<string, boolean | string | number>) =>
  makePresentedCredential({
    format: 'mso_mdoc',
    doctype_or_vct: 'org.iso.18013.5.1.mDL',
    claims: { [namespace]: elements },
  })
const nearest = (elements: Record<string, boolean | string | number>, age: string) =>
  findNearestAge(licence(elements), [namespace, age])

test.each<[holder: Record<string, boolean>, asked: number, said: boolean | undefined]>([
  // The table of ISO/IEC 18013-5 annex D for a holder with age_over_21 and not age_over_60.
  [{ age_over_21: true, age_over_60: false }, 18, true],
  [{ age_over_21: true, age_over_60: false }, 21, true],
  [{ age_over_21: true, age_over_60: false }, 22, undefined],
  [{ age_over_21: true, age_over_60: false }, 59, undefined],
  [{ age_over_21: true, age_over_60: false }, 60, false],
  [{ age_over_21: true, age_over_60: false }, 65, false],
  [{ age_over_21: false }, 18, undefined],
  [{ age_over_16: true }, 18, undefined],
  [{ age_over_16: false }, 18, false],
  [{ age_over_18: false, age_over_21: true }, 18, undefined],
  [{}, 18, undefined],
])('%j says about %i: %s', (elements, asked, said) => {
  expect(nearest(elements, `age_over_${asked}`)?.value).toBe(said)
})

test.each<[Record<string, boolean | string | number>, string]>([
  [{ age_over_21: 'true' }, 'age_over_18'],
  [{ age_over_21: 1 }, 'age_over_18'],
  [{ age_over_210: true }, 'age_over_18'],
  [{ age_over_21: true }, 'age_over_0x'],
  [{ age_over_21: true }, 'age_in_years'],
])('%j decides nothing about %s', (elements, element) => {
  expect(nearest(elements, element)).toBeUndefined()
})

test('only an mdoc in the same namespace counts', () => {
  const elsewhere = { other: { age_over_21: true } }
  expect(
    findNearestAge({ format: 'mso_mdoc', claims: elsewhere }, [namespace, 'age_over_18']),
  ).toBeUndefined()
  const claims = { [namespace]: { age_over_21: true } }
  expect(findNearestAge({ format: 'dc+sd-jwt', claims }, [namespace, 'age_over_18'])).toBeUndefined()
  expect(findNearestAge({ format: 'mso_mdoc', claims }, ['__proto__', 'age_over_18'])).toBeUndefined()
})

test('the nearest age answers for the requested one, keeps its own name in the credential, and a claim is not asked of it', () => {
  const path = [namespace, 'age_over_18']
  const query: CredentialQuery = {
    id: 'mdl',
    format: 'mso_mdoc',
    meta: { doctype_value: 'org.iso.18013.5.1.mDL' },
    claims: [{ path, values: [true] }],
  }
  const credential = licence({ age_over_21: true, age_over_65: false, given_name: 'Erika' })
  const match = matchCredential(query, credential)
  expect(match).toEqual({ findings: [], paths: [[namespace, 'age_over_21']] })
  const rules = { claims: { age_over_18: [{ credential: 'mdl', path }] } }
  const { claims } = applyTemplate(rules, [{ query_id: 'mdl', credential, paths: match.paths }], {
    today: '2026-11-15',
  })
  expect(claims).toEqual({ age_over_18: true })

  const young = matchCredential(query, licence({ age_over_16: false }))
  expect(young.findings).toMatchObject([{ check: 'claim_values', status: 'fail' }])
  const undecided = matchCredential(query, licence({ age_over_16: true }))
  expect(undecided.findings).toMatchObject([{ check: 'requested_claims', status: 'fail' }])
})
