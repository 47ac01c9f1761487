import { describe, expect, test } from 'vitest'
import { decide, decideFor, erika, licence, mdl, query } from '../../test/decide-fixture.ts'
import { makePresentedCredential } from '../../test/presented-credential.ts'
import type { Finding } from '../presentation.ts'
import type { TemplateRules } from '../template/template.ts'
import { buildUnreadableCredential } from '../unreadable-credential.ts'

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
    const outcome = await present(3)
    expect(outcome.credentials).toHaveLength(2)
    expect(outcome.credentials[0]?.findings).toContainEqual({
      check: 'discarded_presentations',
      status: 'warning',
      detail: '"pid" failed credential_encoding',
    })
    const larger = makePresentedCredential({
      claims: { given_name: Array.from({ length: 10_000 }, () => 0) },
    })
    expect(await decideFor({ pid: larger })).toMatchObject({
      error: { code: 'credential_malformed', message: expect.stringContaining('more than 10000 values') },
    })
  })

  test('[WRES-21] a response is unreadable if nothing that failed could be read', async () => {
    const both = { credentials: query.credentials }
    const garbage = buildUnreadableCredential('mso_mdoc', 'not CBOR')
    const untrusted = makePresentedCredential({ trusted: false })
    for (const vp_token of [undefined, 'a~b~', { pid: 'a~b~' }, { pid: [] }])
      expect(await decide(vp_token)).toMatchObject({ status: 'failed', unreadable: true })
    expect(await decideFor({ pid: garbage })).toMatchObject({ unreadable: true })
    expect(await decideFor({ pid: erika, mdl: garbage }, { dcql_query: both })).toMatchObject({
      status: 'failed',
      unreadable: true,
    })
    const decided = [
      decideFor({ pid: untrusted, mdl: garbage }, { dcql_query: both }),
      decideFor({ mdl: garbage }, { dcql_query: both }),
      decideFor({ pid: untrusted }),
      decideFor({}),
      decide({ pid: ['pid'], other: ['pid'] }, { presented: { pid: erika } }),
    ]
    for (const outcome of await Promise.all(decided)) {
      expect(outcome.status).toBe('failed')
      expect(outcome).not.toHaveProperty('unreadable')
    }
    expect((await decideFor({ pid: garbage })).credentials[0]).not.toHaveProperty('unreadable')
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

describe('[OID4VP-18] a failed presentation', () => {
  const forged = mdl({
    claims: { 'org.iso.18013.5.1': { given_name: 'Mallory', age_over_18: true } },
    signature_valid: false,
    findings: [{ check: 'issuer_signature', status: 'fail', detail: 'the signature does not verify' }],
  })
  const both = { ...query, credential_sets: [{ options: [['pid', 'mdl']] }] }

  test('is discarded with a warning if another satisfies the query, whichever is first', async () => {
    for (const presented of [
      { pid: erika, mdl: forged },
      { mdl: forged, pid: erika },
    ]) {
      const outcome = await decideFor(presented)
      expect(outcome).toMatchObject({
        status: 'completed',
        claims: { given_name: 'Erika' },
        credentials: [
          {
            format: 'dc+sd-jwt',
            findings: [
              {
                check: 'discarded_presentations',
                status: 'warning',
                detail: '"mdl" failed issuer_signature',
              },
            ],
          },
        ],
      })
      expect(outcome.credentials).toHaveLength(1)
      expect(JSON.stringify(outcome)).not.toContain('Mallory')
    }
  })

  test('fails the whole response if the query needs it', async () => {
    for (const dcql_query of [both, { credentials: query.credentials }])
      expect(await decideFor({ pid: erika, mdl: forged }, { dcql_query })).toMatchObject({
        status: 'failed',
        claims: {},
        credentials: [{ claims: {} }, { claims: {} }],
        error: { code: 'signature_invalid', message: expect.stringContaining('"mdl"') },
      })
    expect(await decideFor({ mdl: forged })).toMatchObject({ error: { code: 'signature_invalid' } })
  })

  test('of an optional set is discarded, but not if nothing is left', async () => {
    const optional = {
      ...query,
      credential_sets: [{ options: [['pid']] }, { options: [['mdl']], required: false }],
    }
    expect(await decideFor({ pid: erika, mdl: forged }, { dcql_query: optional })).toMatchObject({
      status: 'completed',
    })
    const nothing = { ...query, credential_sets: [{ options: [['mdl']], required: false }] }
    expect(await decideFor({ mdl: forged }, { dcql_query: nothing })).toMatchObject({
      status: 'failed',
      error: { code: 'signature_invalid' },
    })
  })

  test('a required set without a complete option fails the response too', async () => {
    expect(await decideFor({ pid: erika }, { dcql_query: both })).toMatchObject({
      status: 'failed',
      error: { code: 'query_not_satisfied', message: expect.stringContaining('pid with mdl') },
    })
    expect(await decideFor({ pid: erika, mdl: licence }, { dcql_query: both })).toMatchObject({
      status: 'completed',
    })
  })

  test('an empty response satisfies no query, even if it requires nothing', async () => {
    const optional = { ...query, credential_sets: [{ options: [['pid']], required: false }] }
    for (const dcql_query of [query, optional])
      expect(await decide({}, { dcql_query })).toMatchObject({
        status: 'failed',
        claims: {},
        error: { code: 'query_not_satisfied', message: expect.stringContaining('credential_sets') },
      })
    expect(await decideFor({ pid: erika }, { dcql_query: optional })).toMatchObject({ status: 'completed' })
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

describe('a template that requires something', () => {
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
    const both = { ...query, credential_sets: [{ options: [['pid', 'mdl']] }] }
    const outcome = await decideFor({ pid: listed, mdl: mdl() }, { dcql_query: both })
    expect(outcome.lookedUp).toEqual([])
    expect(outcome.credentials[0]?.findings).toMatchObject([{ check: 'status_list', status: 'skipped' }])
  })
})
