import { createIssuer, findPersona, respond } from '@vidimus/sandbox'
import { describe, expect, test } from 'vitest'
import { createVerifier, type VerifierOptions } from '../test/verifier.ts'
import type { AnyQuery } from './dcql/query.ts'

const now = new Date()
const issuer = createIssuer({ now })
const holdings = findPersona('adult')?.credentials(now) ?? []

const pidMdoc = 'eu.europa.ec.eudi.pid.1'
const queries = {
  'dc+sd-jwt': {
    credentials: [
      {
        id: 'pid',
        format: 'dc+sd-jwt',
        meta: { vct_values: ['urn:eudi:pid:1'] },
        claims: [{ path: ['given_name'] }, { path: ['nationalities', 0] }],
      },
    ],
  },
  mso_mdoc: {
    credentials: [
      {
        id: 'pid',
        format: 'mso_mdoc',
        meta: { doctype_value: pidMdoc },
        claims: [{ path: [pidMdoc, 'given_name'] }],
      },
    ],
  },
} satisfies Record<string, AnyQuery>

async function respondWith(options: Partial<VerifierOptions> = {}) {
  const verifier = createVerifier({
    issuer,
    query: queries['dc+sd-jwt'],
    now,
    prefix: 'x509_hash',
    ...options,
  })
  const responded = await respond({
    wallet: { issuer, credentials: holdings },
    wallet_uri: verifier.wallet_uri,
    fetch: verifier.fetch,
    now: () => now,
    sleep: async () => {},
    verifier_anchors: [verifier.root],
  })
  return { ...verifier, responded }
}

describe('[OID4VP-1] [OID4VP-2] [OID4VP-3] [OID4VP-4] [OID4VP-5] [OID4VP-6] [OID4VP-7] [OID4VP-8] [OID4VP-9] a strict wallet accepts the request, and its response verifies', () => {
  test.each([
    ['dc+sd-jwt', 'x509_hash', false],
    ['dc+sd-jwt', 'x509_san_dns', true],
    ['mso_mdoc', 'x509_hash', true],
    ['mso_mdoc', 'x509_san_dns', false],
  ] as const)('%s, %s, fetched by POST: %s', async (format, prefix, post) => {
    const { responded, outcomes } = await respondWith({
      query: queries[format],
      prefix,
      post,
      purpose: 'Age check',
    })
    expect(responded).toMatchObject({ sent: true, http_status: 200 })
    expect(outcomes).toMatchObject([
      { status: 'completed', claims: { given_name: 'Erika' }, credentials: [{ format, findings: [] }] },
    ])
  })
})

test('[OID4VP-3] the posted wallet_nonce is in the request object; after a GET there is none', async () => {
  expect((await respondWith({ post: true })).served).toMatchObject([{ wallet_nonce: expect.any(String) }])
  expect((await respondWith()).served[0]).not.toHaveProperty('wallet_nonce')
})

test('[OID4VP-17] an index in a claims path pointer refers to the issued array', async () => {
  const { outcomes } = await respondWith()
  expect(outcomes[0]?.credentials[0]?.claims).toMatchObject({ nationalities: [expect.any(String)] })
})

test('[WREQ-6] [OID4VP-9] a set that only carries the purpose does not change the response', async () => {
  const [withPurpose, without] = await Promise.all([respondWith({ purpose: 'Age check' }), respondWith()])
  expect(withPurpose.served[0]?.dcql_query.credential_sets).toEqual([
    { options: [['pid']], purpose: 'Age check' },
  ])
  expect(withPurpose.outcomes[0]?.claims).toEqual(without.outcomes[0]?.claims)
})
