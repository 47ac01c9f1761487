import { describe, expect, test } from 'vitest'
import { makePresentedCredential } from '../../test/presented-credential.ts'
import type { AnyQuery } from '../dcql/query.ts'
import type { JsonObject } from '../json.ts'
import type { Finding, PresentedCredential, VerifierRequest } from '../presentation.ts'
import type { TemplateRules } from '../template/template.ts'
import { decideOutcome } from './decide.ts'

const mdl = (members: Partial<PresentedCredential> = {}) =>
  makePresentedCredential({ format: 'mso_mdoc', doctype_or_vct: 'org.iso.18013.5.1.mDL', ...members })

const query: AnyQuery = {
  credentials: [
    {
      id: 'pid',
      format: 'dc+sd-jwt',
      meta: { vct_values: ['urn:eudi:pid:1'] },
      claims: [{ path: ['given_name'] }],
    },
    {
      id: 'mdl',
      format: 'mso_mdoc',
      meta: { doctype_value: 'org.iso.18013.5.1.mDL' },
      claims: [{ path: ['org.iso.18013.5.1', 'given_name'] }, { path: ['org.iso.18013.5.1', 'age_over_18'] }],
    },
  ],
  credential_sets: [{ options: [['pid'], ['mdl'], ['pid', 'mdl']] }],
}
const erika = makePresentedCredential({ claims: { given_name: 'Erika' } })
const licence = mdl({ claims: { 'org.iso.18013.5.1': { given_name: 'Erika', age_over_18: true } } })

type DecideOptions = {
  dcql_query?: AnyQuery
  template?: TemplateRules
  /** The result of the format's verifier for each presentation. */
  presented?: Record<string, PresentedCredential>
  status?: Finding[]
}

/** Decides with verifiers that return the given results. */
async function decide(
  vp_token: unknown,
  { dcql_query = query, template = {}, presented = {}, status = [] }: DecideOptions = {},
) {
  const request: VerifierRequest = {
    client_id: 'x509_hash:abc',
    nonce: 'nonce',
    state: 'state',
    response_uri: 'https://verifier.example/r',
    created_at: 1_800_000_000,
    dcql_query,
    template,
    encryption_key_thumbprint: 'thumbprint',
  }
  const lookedUp: string[] = []
  const outcome = await decideOutcome(
    request,
    vp_token,
    {
      verify: (presentation) =>
        presented[presentation] ??
        makePresentedCredential({ findings: [{ check: 'credential_encoding', status: 'fail' }] }),
      checkStatus: async ({ status_list }) => {
        lookedUp.push(status_list?.uri ?? 'none')
        return status
      },
    },
    1_800_000_100,
  )
  return { ...outcome, lookedUp }
}

const decideFor = (presented: Record<string, PresentedCredential>, options: DecideOptions = {}) =>
  decide(Object.fromEntries(Object.keys(presented).map((id) => [id, [id]])), { ...options, presented })

describe('[OID4VP-15] the vp_token', () => {
  test('is an object from query ids to lists', async () => {
    expect(await decideFor({ pid: erika })).toMatchObject({
      status: 'completed',
      claims: { given_name: 'Erika' },
    })
  })

  test.each([undefined, null, 'a~b~', ['a~b~'], 7])('%j fails the whole response', async (vp_token) => {
    expect(await decide(vp_token)).toMatchObject({
      status: 'failed',
      credentials: [],
      error: { code: 'credential_malformed', message: expect.stringContaining('vp_token') },
    })
  })

  test('an unknown query id fails the whole response', async () => {
    const presented = { pid: erika }
    expect(await decide({ pid: ['pid'], other: ['pid'] }, { presented })).toMatchObject({
      status: 'failed',
      credentials: [],
      error: { code: 'query_not_satisfied', message: expect.stringContaining('query_id') },
    })
    expect(await decide(JSON.parse('{"pid":["pid"],"__proto__":["pid"]}'), { presented })).toMatchObject({
      error: { code: 'query_not_satisfied' },
    })
  })

  test.each([[[]], ['a~b~'], [[1]], [['']], [[{}]], [{ 0: 'pid', length: 1 }], [null]])(
    'a value of %j is not a list of presentations',
    async (value) => {
      expect(await decide({ pid: value })).toMatchObject({
        error: { code: 'credential_malformed', message: expect.stringContaining('"pid"') },
      })
    },
  )

  test('two presentations of one credential are refused unless multiple is set', async () => {
    const presented = { pid: erika, again: erika }
    expect(await decide({ pid: ['pid', 'again'] }, { presented })).toMatchObject({
      status: 'failed',
      error: { code: 'query_not_satisfied', message: expect.stringContaining('presentation_count: "pid"') },
    })
    const [pid, ...others] = query.credentials
    const several = {
      credentials: [{ ...pid, multiple: true }, ...others],
      credential_sets: [{ options: [['pid']] }],
    }
    const outcome = await decide({ pid: ['pid', 'again'] }, { presented, dcql_query: several })
    expect(outcome.status).toBe('completed')
    expect(outcome.credentials).toHaveLength(2)
  })

  test('[GEN-11] more than 10 presentations of one credential, or 20 in total, are refused unread', async () => {
    const ids = ['a', 'b', 'c']
    const several = {
      credentials: ids.map((id) => ({ id, format: 'dc+sd-jwt', meta: {}, multiple: true })),
      credential_sets: ids.map((id) => ({ options: [[id]], required: false })),
    }
    const present = (...counts: number[]) =>
      decide(Object.fromEntries(counts.map((count, index) => [ids[index], Array(count).fill('pid')])), {
        presented: { pid: erika },
        dcql_query: several,
      })
    expect(await present(10, 10)).toMatchObject({ status: 'completed' })
    expect(await present(11)).toMatchObject({
      error: { message: expect.stringContaining('at most 10 presentations of one credential, got 11') },
    })
    expect(await present(10, 10, 1)).toMatchObject({
      error: { message: expect.stringContaining('at most 20 presentations, got 21') },
    })
  })

  test('[GEN-11] the claims of a response have at most 10,000 values in all credentials', async () => {
    const large = makePresentedCredential({ claims: { given_name: Array.from({ length: 4000 }, () => 0) } })
    const several = { credentials: [{ id: 'pid', format: 'dc+sd-jwt', meta: {}, multiple: true }] }
    const present = (count: number) =>
      decide({ pid: Array(count).fill('pid') }, { presented: { pid: large }, dcql_query: several })
    expect(await present(2)).toMatchObject({ status: 'completed' })
    expect(await present(3)).toMatchObject({
      error: { code: 'credential_malformed', message: expect.stringContaining('more than 10000 values') },
    })
  })

  test('a response to an invalid query is refused', async () => {
    const broken = { credentials: [{ id: 'pid', format: 'jwt_vc_json', meta: {} }] }
    expect(await decideFor({ pid: erika }, { dcql_query: broken })).toMatchObject({
      status: 'failed',
      error: { code: 'query_not_satisfied', message: expect.stringContaining('credential_query') },
    })
  })
})

describe('[OID4VP-16] another type or format', () => {
  test('fails, and the message names the query and the type', async () => {
    expect(await decideFor({ pid: makePresentedCredential({ doctype_or_vct: 'urn:other' }) })).toMatchObject({
      status: 'failed',
      error: {
        code: 'query_not_satisfied',
        message: 'Credential "pid" failed the check credential_type: requested urn:eudi:pid:1.',
      },
    })
    expect(await decideFor({ pid: licence })).toMatchObject({
      error: { code: 'query_not_satisfied', message: expect.stringContaining('credential_format') },
    })
  })
})

test('[WRES-7] [OID4VP-17] the message of a missing claim names the query id and the claim path', async () => {
  expect(await decideFor({ pid: makePresentedCredential() })).toMatchObject({
    status: 'failed',
    error: {
      code: 'query_not_satisfied',
      message: 'Credential "pid" failed the check requested_claims: ["given_name"] was not disclosed.',
    },
  })
})

describe('[OID4VP-18] one failed presentation fails the whole response', () => {
  const forged = mdl({
    claims: { 'org.iso.18013.5.1': { given_name: 'Mallory', age_over_18: true } },
    signature_valid: false,
    findings: [{ check: 'issuer_signature', status: 'fail', detail: 'the signature does not verify' }],
  })

  test('even if another would have sufficed', async () => {
    const outcome = await decideFor({ pid: erika, mdl: forged })
    expect(outcome).toMatchObject({
      status: 'failed',
      claims: {},
      error: { code: 'signature_invalid', message: expect.stringContaining('"mdl"') },
    })
  })

  test('a required set without a complete option fails it too', async () => {
    const both = { ...query, credential_sets: [{ options: [['pid', 'mdl']] }] }
    expect(await decideFor({ pid: erika }, { dcql_query: both })).toMatchObject({
      status: 'failed',
      error: { code: 'query_not_satisfied', message: expect.stringContaining('pid with mdl') },
    })
    expect(await decideFor({ pid: erika, mdl: licence }, { dcql_query: both })).toMatchObject({
      status: 'completed',
    })
  })

  test('an empty response satisfies only a query that requires nothing', async () => {
    expect(await decide({})).toMatchObject({ status: 'failed', error: { code: 'query_not_satisfied' } })
    const optional = { ...query, credential_sets: [{ options: [['pid']], required: false }] }
    expect(await decide({}, { dcql_query: optional })).toMatchObject({
      status: 'completed',
      claims: {},
      credentials: [],
    })
  })
})

describe('[WRES-6] is completed only if every proof is present', () => {
  test.each([
    ['signature_valid', 'signature_invalid'],
    ['trusted', 'issuer_untrusted'],
    ['holder_binding_valid', 'holder_binding_invalid'],
  ])('without %s it is %s, even without a finding', async (flag, code) => {
    expect(await decideFor({ pid: { ...erika, [flag]: false } })).toMatchObject({
      status: 'failed',
      claims: {},
      credentials: [{ [flag]: false, claims: {} }],
      error: { code },
    })
  })

  test('a failed finding fails it, regardless of the flags', async () => {
    const expired = { ...erika, findings: [{ check: 'credential_validity', status: 'fail' } as const] }
    expect(await decideFor({ pid: expired })).toMatchObject({
      status: 'failed',
      error: { code: 'credential_expired' },
    })
  })

  test('a warning does not', async () => {
    const findings: Finding[] = [{ check: 'issuer_certificate_purpose', status: 'warning' }]
    expect(await decideFor({ pid: { ...erika, findings } })).toMatchObject({
      status: 'completed',
      credentials: [{ findings }],
    })
  })

  test('the most severe of several failures is the error', async () => {
    const findings: Finding[] = [
      { check: 'credential_validity', status: 'fail' },
      { check: 'issuer_trust', status: 'fail' },
      { check: 'key_binding_nonce', status: 'fail' },
    ]
    expect(await decideFor({ pid: { ...erika, findings } })).toMatchObject({
      error: { code: 'issuer_untrusted' },
    })
  })
})

test('a failed credential is not matched against the query', async () => {
  const outcome = await decide({ pid: ['unreadable'] })
  expect(outcome.credentials[0]?.findings).toEqual([{ check: 'credential_encoding', status: 'fail' }])
})

describe('[TPL-5] a template that requires something', () => {
  const template: TemplateRules = {
    claims: { first_name: [{ credential: 'pid', path: ['given_name'] }] },
    must: { first_name: { equals: 'Erika' } },
  }

  test('completes if the requirement is met, with the names of the template', async () => {
    expect(await decideFor({ pid: erika }, { template })).toMatchObject({
      status: 'completed',
      claims: { first_name: 'Erika' },
      credentials: [{ claims: { given_name: 'Erika' } }],
    })
  })

  test('fails otherwise, and returns no claims', async () => {
    const outcome = await decideFor(
      { pid: makePresentedCredential({ claims: { given_name: 'Max' } }) },
      { template },
    )
    expect(outcome).toMatchObject({
      status: 'failed',
      claims: {},
      credentials: [{ claims: {}, trusted: true, signature_valid: true, holder_binding_valid: true }],
      error: { code: 'requirement_not_met', message: expect.stringContaining('first_name must be "Erika"') },
    })
    expect(JSON.stringify(outcome)).not.toContain('Max')
  })
})

describe('[OID4VP-30] the status is checked last', () => {
  const listed = { ...erika, status_list: { uri: 'https://issuer.example/1', idx: 7 } }

  test('after all other checks passed, and is decisive', async () => {
    const revoked: Finding[] = [{ check: 'revocation', status: 'fail' }]
    expect(await decideFor({ pid: listed })).toMatchObject({
      status: 'completed',
      lookedUp: ['https://issuer.example/1'],
    })
    expect(await decideFor({ pid: listed }, { status: revoked })).toMatchObject({
      status: 'failed',
      claims: {},
      credentials: [{ claims: {}, findings: revoked }],
      error: { code: 'credential_revoked' },
    })
  })

  test('and not at all after a failure', async () => {
    const outcome = await decideFor({ pid: listed, mdl: mdl() })
    expect(outcome.lookedUp).toEqual([])
    expect(outcome.credentials[0]?.findings).toMatchObject([{ check: 'status_list', status: 'skipped' }])
  })
})

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
    const outcome = await decideFor({ pid: erika, mdl: untrusted })
    expect(outcome.credentials.map(({ claims }) => claims)).toEqual([{}, {}])
    expect(JSON.stringify(outcome)).not.toContain('Erika')
  })
})

describe('[RESULT-3] claims are merged', () => {
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
  test('[RESULT-2] has the published members only, and omits passed checks', async () => {
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
