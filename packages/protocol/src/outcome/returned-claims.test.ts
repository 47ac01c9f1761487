import { describe, expect, test } from 'vitest'
import { decide, decideFor, erika, licence, mdl, query } from '../../test/decide-fixture.ts'
import { makePresentedCredential } from '../../test/presented-credential.ts'
import type { JsonObject } from '../json.ts'

describe('[OID4VP-19] claims that were not requested', () => {
  const withExtraClaims = makePresentedCredential({
    claims: {
      given_name: 'Erika',
      family_name: 'Mustermann',
      address: { locality: 'KÖLN' },
      iss: 'https://issuer.example',
      vct: 'urn:eudi:pid:1',
      cnf: { jwk: {} },
      iat: 1,
    },
  })

  test('[RESULT-5] are dropped and listed in a warning without values', async () => {
    const outcome = await decideFor({ pid: withExtraClaims })
    expect(outcome).toMatchObject({ status: 'completed', claims: { given_name: 'Erika' } })
    expect(outcome.credentials[0]?.claims).toEqual({ given_name: 'Erika' })
    expect(outcome.credentials[0]?.findings).toEqual([
      { check: 'claims_not_requested', status: 'warning', detail: 'dropped: ["family_name"], ["address"]' },
    ])
    expect(JSON.stringify(outcome)).not.toMatch(/Mustermann|KÖLN/)
  })

  test('are listed up to ten; the rest are counted', async () => {
    const claims: JsonObject = Object.fromEntries(
      Array.from({ length: 25 }, (_, index) => [`c${index}`, index]),
    )
    const outcome = await decideFor({
      pid: makePresentedCredential({ claims: { given_name: 'Erika', ...claims } }),
    })
    expect(outcome.credentials[0]?.findings[0]?.detail).toMatch(/\["c9"\] and 15 more$/)
  })

  test('[RESULT-4] a failed verification returns no claims of any credential', async () => {
    const untrusted = { ...licence, trusted: false }
    const both = { ...query, credential_sets: [{ options: [['pid', 'mdl']] }] }
    const outcome = await decideFor({ pid: erika, mdl: untrusted }, { dcql_query: both })
    expect(outcome.credentials.map(({ claims }) => claims)).toEqual([{}, {}])
    expect(JSON.stringify(outcome)).not.toContain('Erika')
  })
})

describe('claims are merged', () => {
  test('in query order: the first wins, a conflict is a warning', async () => {
    const other = mdl({ claims: { 'org.iso.18013.5.1': { given_name: 'Erica', age_over_18: true } } })
    const outcome = await decide({ mdl: ['mdl'], pid: ['pid'] }, { presented: { pid: erika, mdl: other } })
    expect(outcome.claims).toEqual({ given_name: 'Erika', age_over_18: true })
    expect(outcome.credentials.map(({ findings }) => findings)).toEqual([
      [],
      [
        {
          check: 'conflicting_claims',
          status: 'warning',
          detail: 'an earlier credential has different values for "given_name"',
        },
      ],
    ])
  })

  test('namespaces are flattened in the merge and kept in the credential', async () => {
    const outcome = await decideFor({ mdl: licence })
    expect(outcome.claims).toEqual({ given_name: 'Erika', age_over_18: true })
    expect(outcome.credentials[0]?.claims).toEqual({
      'org.iso.18013.5.1': { given_name: 'Erika', age_over_18: true },
    })
  })

  test('equal values do not conflict, regardless of the order of their members', async () => {
    const dcql_query = {
      credentials: ['a', 'b'].map((id) => ({
        id,
        format: 'dc+sd-jwt',
        meta: {},
        claims: [{ path: ['address'] }],
      })),
    }
    const presented = {
      a: makePresentedCredential({ claims: { address: { x: 1, y: [1, 2] } } }),
      b: makePresentedCredential({ claims: { address: { y: [1, 2], x: 1 } } }),
    }
    const outcome = await decideFor(presented, { dcql_query })
    expect(outcome.credentials.flatMap(({ findings }) => findings)).toEqual([])
  })
})

describe('[RESULT-1] a credential', () => {
  test('has the published members only, and omits passed checks', async () => {
    const outcome = await decideFor({
      pid: {
        ...erika,
        authority_key_ids: ['aki'],
        anchor: 'fingerprint',
        findings: [
          { check: 'issuer_signature', status: 'pass' },
          { check: 'issuer_certificate_purpose', status: 'warning', detail: 'names none' },
        ],
      },
    })
    expect(outcome.credentials).toEqual([
      {
        format: 'dc+sd-jwt',
        doctype_or_vct: 'urn:eudi:pid:1',
        claims: { given_name: 'Erika' },
        issuer: { common_name: 'PID issuer', country: 'DE' },
        trusted: true,
        signature_valid: true,
        holder_binding_valid: true,
        findings: [{ check: 'issuer_certificate_purpose', status: 'warning', detail: 'names none' }],
      },
    ])
  })

  test('never contains text that cannot be stored, or unbounded text', async () => {
    const strange = `a\0b\ud800${'c'.repeat(10_000)}`
    const outcome = await decideFor({
      pid: makePresentedCredential({
        doctype_or_vct: strange,
        issuer: { common_name: strange, country: strange },
        findings: [{ check: 'issuer_trust', status: 'fail', detail: strange }],
      }),
    })
    const text = JSON.stringify(outcome)
    expect(text).not.toMatch(/\\u0000|\\ud800/)
    expect(text.length).toBeLessThan(4000)
  })
})

describe('[GEN-10] claims that cannot be stored or traversed fail a check', () => {
  const nest = (depth: number): JsonObject => (depth === 0 ? {} : { a: nest(depth - 1) })
  test.each<[string, JsonObject, string]>([
    ['NUL', { given_name: 'Eri\0ka' }, 'credential_text'],
    ['an unpaired surrogate', { given_name: 'Erika \ud83d' }, 'credential_text'],
    ['NUL in a name', { given_name: 'Erika', 'a\0': 1 }, 'credential_text'],
    ['a nested unpaired surrogate', { given_name: ['Erika', { a: ['\udc00'] }] }, 'credential_text'],
    ['deep nesting', { given_name: nest(40) }, 'credential_encoding'],
    ['a huge array', { given_name: Array.from({ length: 20_000 }, () => 0) }, 'credential_encoding'],
    ['NaN', { given_name: Number.NaN }, 'credential_encoding'],
  ])('%s', async (_name, claims, check) => {
    const outcome = await decideFor({ pid: makePresentedCredential({ claims }) })
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { code: 'credential_malformed', message: expect.stringContaining(check) },
    })
  })

  test('__proto__ is an ordinary claim name', async () => {
    const dcql_query = {
      credentials: [
        { id: 'pid', format: 'dc+sd-jwt', meta: {}, claims: [{ path: ['__proto__', 'polluted'] }] },
      ],
    }
    const claims = JSON.parse('{"__proto__": {"polluted": true}}') as JsonObject
    const outcome = await decideFor({ pid: makePresentedCredential({ claims }) }, { dcql_query })
    expect(outcome.status).toBe('completed')
    expect(JSON.stringify(outcome.claims)).toBe('{"__proto__":{"polluted":true}}')
    expect(Object.hasOwn({}, 'polluted')).toBe(false)
    expect(({} as JsonObject)['polluted']).toBeUndefined()
  })
})
