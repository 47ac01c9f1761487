import { describe, expect, test } from 'vitest'
import { checkQuery } from './check-query.ts'

const mdoc = { id: 'mdl', format: 'mso_mdoc', meta: { doctype_value: 'org.iso.18013.5.1.mDL' } }
const sdJwt = { id: 'pid', format: 'dc+sd-jwt', meta: { vct_values: ['urn:eudi:pid:1'] } }
const path = ['org.iso.18013.5.1', 'given_name']

/** A query for one credential, with the given members replaced. */
const queryWith = (members: object, base: object = sdJwt) => ({ credentials: [{ ...base, ...members }] })

describe('[OID4VP-8] accepts a valid query', () => {
  test.each<[string, object]>([
    ['an mdoc of one type', queryWith({ claims: [{ path, intent_to_retain: false }] }, mdoc)],
    [
      'an SD-JWT VC with every kind of path',
      queryWith({ claims: [{ path: ['a'] }, { path: ['b', null] }, { path: ['c', 0] }] }),
    ],
    ['any type of a format', queryWith({ meta: {} })],
    ['no claims at all', queryWith({})],
    ['values of each kind', queryWith({ claims: [{ path: ['a'], values: ['x', 1, true] }] })],
    [
      'claim sets',
      queryWith({
        claims: [
          { id: 'a', path: ['a'] },
          { id: 'b', path: ['b'] },
        ],
        claim_sets: [['a'], ['b']],
      }),
    ],
    ['several presentations of one credential', queryWith({ multiple: true })],
    [
      'an authority by its key',
      queryWith({ trusted_authorities: [{ type: 'aki', values: ['s9tIpPmhxdiuNkHMEWNpYim8S8Y'] }] }),
    ],
    [
      'alternatives',
      { credentials: [mdoc, sdJwt], credential_sets: [{ options: [['mdl'], ['pid']], required: true }] },
    ],
    [
      'unknown members anywhere',
      { ...queryWith({ later: 1, claims: [{ path: ['a'], later: 1 }] }), later: 1 },
    ],
  ])('%s', (_name, query) => {
    expect(checkQuery(query)).toEqual([])
  })
})

describe('[OID4VP-8] a violation names the place and the rule', () => {
  const wrong: [place: string, query: unknown, rule: string][] = [
    ['query', 'all of it', 'must be an object'],
    ['query.credentials', {}, 'must be a non-empty array'],
    ['query.credentials', { credentials: [] }, 'must be a non-empty array'],
    ['query.credentials[0]', { credentials: ['pid'] }, 'must be an object'],
    ['query.credentials[0].id', queryWith({ id: undefined }), 'missing'],
    ['query.credentials[0].id', queryWith({ id: '' }), 'letters'],
    ['query.credentials[0].id', queryWith({ id: 'a.b' }), 'letters'],
    ['query.credentials[0].id', queryWith({ id: 'a\n' }), 'letters'],
    ['query.credentials[0].id', queryWith({ id: 7 }), 'letters'],
    ['query.credentials[1].id', { credentials: [sdJwt, sdJwt] }, 'twice'],
    [
      'query.credentials[0].format',
      queryWith({ format: undefined }),
      'is missing: no wallet can answer this (OpenID4VP 1.0 section 6.1)',
    ],
    ['query.credentials[0].format', queryWith({ format: 'jwt_vc_json' }), 'must be mso_mdoc or dc+sd-jwt'],
    ['query.credentials[0].meta', queryWith({ meta: undefined }), 'missing'],
    ['query.credentials[0].meta', queryWith({ meta: [] }), 'must be an object'],
    ['query.credentials[0].meta', queryWith({ meta: null }), 'must be an object'],
    ['query.credentials[0].meta.vct_values', queryWith({ meta: { doctype_value: 'x' } }), 'array of strings'],
    ['query.credentials[0].meta.vct_values', queryWith({ meta: { vct_values: [] } }), 'array of strings'],
    ['query.credentials[0].meta.vct_values', queryWith({ meta: { vct_values: [1] } }), 'array of strings'],
    [
      'query.credentials[0].meta.doctype_value',
      queryWith({ meta: { vct_values: ['x'] } }, mdoc),
      'non-empty string',
    ],
    ['query.credentials[0].multiple', queryWith({ multiple: 'yes' }), 'true or false'],
    [
      'query.credentials[0].require_cryptographic_holder_binding',
      queryWith({ require_cryptographic_holder_binding: 0 }),
      'true or false',
    ],
    ['query.credentials[0].trusted_authorities', queryWith({ trusted_authorities: [] }), 'non-empty array'],
    [
      'query.credentials[0].trusted_authorities[0]',
      queryWith({ trusted_authorities: ['aki'] }),
      'must be an object',
    ],
    [
      'query.credentials[0].trusted_authorities[0].type',
      queryWith({ trusted_authorities: [{ values: ['x'] }] }),
      'non-empty string',
    ],
    [
      'query.credentials[0].trusted_authorities[0].values',
      queryWith({ trusted_authorities: [{ type: 'aki', values: [] }] }),
      'array of strings',
    ],
    ['query.credentials[0].claims', queryWith({ claims: [] }), 'non-empty array'],
    ['query.credentials[0].claims[0]', queryWith({ claims: ['given_name'] }), 'must be an object'],
    ['query.credentials[0].claims[0].path', queryWith({ claims: [{}] }), 'non-empty array of strings, nulls'],
    [
      'query.credentials[0].claims[0].path',
      queryWith({ claims: [{ path: [] }] }),
      'non-empty array of strings, nulls',
    ],
    [
      'query.credentials[0].claims[0].path',
      queryWith({ claims: [{ path: ['a', -1] }] }),
      'non-negative integers',
    ],
    [
      'query.credentials[0].claims[0].path',
      queryWith({ claims: [{ path: ['a', 1.5] }] }),
      'non-negative integers',
    ],
    [
      'query.credentials[0].claims[0].path',
      queryWith({ claims: [{ path: ['a', true] }] }),
      'non-negative integers',
    ],
    [
      'query.credentials[0].claims[0].path',
      queryWith({ claims: [{ path: ['given_name'] }] }, mdoc),
      'two strings',
    ],
    [
      'query.credentials[0].claims[0].path',
      queryWith({ claims: [{ path: ['ns', null] }] }, mdoc),
      'two strings',
    ],
    [
      'query.credentials[0].claims[0].path',
      queryWith({ claims: [{ path: ['ns', 'a', 'b'] }] }, mdoc),
      'two strings',
    ],
    [
      'query.credentials[0].claims[1].path',
      queryWith({ claims: [{ path: ['a'] }, { path: ['a'] }] }),
      'twice',
    ],
    ['query.credentials[0].claims[0].id', queryWith({ claims: [{ id: 'a b', path: ['a'] }] }), 'letters'],
    [
      'query.credentials[0].claims[1].id',
      queryWith({
        claims: [
          { id: 'a', path: ['a'] },
          { id: 'a', path: ['b'] },
        ],
      }),
      'twice',
    ],
    [
      'query.credentials[0].claims[0].values',
      queryWith({ claims: [{ path: ['a'], values: [] }] }),
      'non-empty array',
    ],
    [
      'query.credentials[0].claims[0].values',
      queryWith({ claims: [{ path: ['a'], values: [1.5] }] }),
      'integers',
    ],
    [
      'query.credentials[0].claims[0].values',
      queryWith({ claims: [{ path: ['a'], values: [null] }] }),
      'integers',
    ],
    [
      'query.credentials[0].claims[0].intent_to_retain',
      queryWith({ claims: [{ path, intent_to_retain: 'no' }] }, mdoc),
      'true or false',
    ],
    ['query.credentials[0].claim_sets', queryWith({ claim_sets: [['a']] }), 'only allowed with claims'],
    [
      'query.credentials[0].claim_sets',
      queryWith({ claims: [{ id: 'a', path: ['a'] }], claim_sets: [] }),
      'non-empty array',
    ],
    [
      'query.credentials[0].claim_sets[0]',
      queryWith({ claims: [{ id: 'a', path: ['a'] }], claim_sets: [[]] }),
      'non-empty array',
    ],
    [
      'query.credentials[0].claim_sets[0]',
      queryWith({ claims: [{ id: 'a', path: ['a'] }], claim_sets: [['a', 'b']] }),
      'no claim has',
    ],
    [
      'query.credentials[0].claims[0].id',
      queryWith({ claims: [{ path: ['a'] }, { id: 'b', path: ['b'] }], claim_sets: [['b']] }),
      'missing',
    ],
    ['query.credential_sets', { credentials: [sdJwt], credential_sets: [] }, 'non-empty array'],
    ['query.credential_sets[0]', { credentials: [sdJwt], credential_sets: ['pid'] }, 'must be an object'],
    ['query.credential_sets[0].options', { credentials: [sdJwt], credential_sets: [{}] }, 'non-empty array'],
    [
      'query.credential_sets[0].options',
      { credentials: [sdJwt], credential_sets: [{ options: [[]] }] },
      'non-empty arrays',
    ],
    [
      'query.credential_sets[0].options[1]',
      { credentials: [sdJwt], credential_sets: [{ options: [['pid'], ['mdl']] }] },
      'no credential has',
    ],
    [
      'query.credential_sets[0].required',
      { credentials: [sdJwt], credential_sets: [{ options: [['pid']], required: 1 }] },
      'true or false',
    ],
  ]
  test.each(wrong.map(([place, query, rule]) => ({ place, query, rule })))(
    '$place: $rule',
    ({ place, query, rule }) => {
      expect(checkQuery(query)).toEqual([{ place, rule: expect.stringContaining(rule) }])
    },
  )
})

test('[CREATE-5] reports a query without holder binding, which is never accepted', () => {
  expect(checkQuery(queryWith({ require_cryptographic_holder_binding: false }))).toEqual([
    {
      place: 'query.credentials[0].require_cryptographic_holder_binding',
      rule: expect.stringContaining('only credentials with holder binding are accepted'),
    },
  ])
})

test('[OID4VP-17] reports a query whose authorities cannot be checked', () => {
  const federation = { type: 'openid_federation', values: ['https://federation.example.com'] }
  const list = { type: 'etsi_tl', values: ['https://lotl.example.com'] }
  const key = { type: 'aki', values: ['s9tIpPmhxdiuNkHMEWNpYim8S8Y'] }
  expect(checkQuery(queryWith({ trusted_authorities: [federation] }))).toEqual([
    {
      place: 'query.credentials[0].trusted_authorities',
      rule: expect.stringContaining('no authority of type aki or etsi_tl'),
    },
  ])
  expect(checkQuery(queryWith({ trusted_authorities: [federation, list] }))).toEqual([])
  expect(checkQuery(queryWith({ trusted_authorities: [federation, key] }))).toEqual([])
})

test('reports at most twenty violations', () => {
  const credentials = Array.from({ length: 500 }, () => ({}))
  expect(checkQuery({ credentials })).toHaveLength(20)
})

test('a violation is printable ASCII for any query, so that it can be sent in a header', () => {
  const strange = 'é\r\nX-Injected: 1\0😀'
  const violations = checkQuery({
    credentials: [
      {
        id: strange,
        format: strange,
        meta: { [strange]: strange },
        claims: [{ path: [{ [strange]: 1 }], id: strange }],
      },
    ],
    credential_sets: [{ options: [[strange, 'x']] }],
  })
  expect(violations.length).toBeGreaterThan(3)
  for (const { place, rule } of violations) expect(`${place}: ${rule}`).toMatch(/^[\x20-\x7e]+$/)
})
