import { describe, expect, test } from 'vitest'
import type { AnyQuery } from '../dcql/query.ts'
import { buildAgeAppUri, selectAgeAppQuery } from './build-age-app-uri.ts'

const proofOfAge = {
  id: 'av',
  format: 'mso_mdoc',
  meta: { doctype_value: 'eu.europa.ec.av.1' },
  claims: [{ path: ['eu.europa.ec.av.1', 'age_over_18'] }],
}
const licence = { id: 'mdl', format: 'mso_mdoc', meta: { doctype_value: 'org.iso.18013.5.1.mDL' } }
const response_uri = 'https://verifier.example/wallet/response/vs_1?via=age_app'
const build = (dcql_query: AnyQuery) =>
  buildAgeAppUri({ response_uri, nonce: 'a-nonce', state: 'a-state', dcql_query })

test('[DC-12] the link carries the whole request, for the proof of age only', () => {
  const uri = build({
    credentials: [licence, proofOfAge],
    credential_sets: [{ options: [['mdl'], ['av']] }],
  })
  expect(uri).toMatch(/^av:\/\/\?[\w.~%&=!'()*-]+$/)
  const parameters = Object.fromEntries(new URL(uri ?? '').searchParams)
  expect(parameters).toEqual({
    response_type: 'vp_token',
    response_mode: 'direct_post',
    client_id: `redirect_uri:${response_uri}`,
    response_uri,
    nonce: 'a-nonce',
    state: 'a-state',
    dcql_query: JSON.stringify({ credentials: [proofOfAge] }),
    client_metadata: expect.any(String),
  })
  expect(JSON.parse(parameters.client_metadata ?? '')).toEqual({
    vp_formats_supported: {
      mso_mdoc: {
        issuerauth_alg_values: expect.arrayContaining([-7]),
        deviceauth_alg_values: expect.arrayContaining([-7]),
      },
    },
  })
})

describe('[DC-12] the proof of age must satisfy the query by itself', () => {
  const selected: AnyQuery = { credentials: [proofOfAge] }
  const cases: [string, AnyQuery, AnyQuery | undefined][] = [
    ['the only credential', { credentials: [proofOfAge] }, selected],
    [
      'one option of the only set',
      { credentials: [licence, proofOfAge], credential_sets: [{ options: [['mdl'], ['av']] }] },
      selected,
    ],
    [
      'beside an optional set',
      {
        credentials: [licence, proofOfAge],
        credential_sets: [{ options: [['av']] }, { options: [['mdl']], required: false }],
      },
      selected,
    ],
    ['beside another required credential', { credentials: [licence, proofOfAge] }, undefined],
    [
      'only together with another',
      { credentials: [licence, proofOfAge], credential_sets: [{ options: [['mdl', 'av']] }] },
      undefined,
    ],
    [
      'one of two required sets',
      {
        credentials: [licence, proofOfAge],
        credential_sets: [{ options: [['av']] }, { options: [['mdl']] }],
      },
      undefined,
    ],
    ['not requested', { credentials: [licence] }, undefined],
    ['in another format', { credentials: [{ ...proofOfAge, format: 'dc+sd-jwt' }] }, undefined],
    [
      'an SD-JWT VC that also names the docType',
      {
        credentials: [
          {
            ...proofOfAge,
            format: 'dc+sd-jwt',
            meta: { vct_values: ['x'], doctype_value: 'eu.europa.ec.av.1' },
          },
        ],
      },
      undefined,
    ],
    ['of any type', { credentials: [{ ...proofOfAge, meta: {} }] }, undefined],
    ['in a query that breaks a rule', { credentials: [{ ...proofOfAge, claims: [] }] }, undefined],
    ['in an invalid set', { credentials: [proofOfAge], credential_sets: [{ options: 'av' }] }, undefined],
  ]
  test.each(cases)('%s', (_, query, expected) => {
    expect(selectAgeAppQuery(query)).toEqual(expected)
    expect(build(query) === undefined).toBe(expected === undefined)
  })
})
