import { createIssuer } from '@vidimus/sandbox'
import { expect, test } from 'vitest'
import { claims, queries } from '../test/queries.ts'
import { openVerifier } from '../test/verifier.ts'
import { answerWithLibraries } from './library-wallet.ts'

const now = new Date()
const issuer = createIssuer({ now })

test.each([
  ['dc+sd-jwt', 'x509_hash'],
  ['dc+sd-jwt', 'x509_san_dns'],
  ['mso_mdoc', 'x509_hash'],
  ['mso_mdoc', 'x509_san_dns'],
] as const)('a wallet of three independent libraries is accepted: %s, %s', async (format, prefix) => {
  const verifier = openVerifier({ issuer, query: queries[format], prefix, now })
  const { wallet_uri, fetch } = verifier

  const response = await answerWithLibraries({ wallet_uri, fetch, issuer, now, format })

  expect(response.status).toBe(200)
  expect(verifier.outcomes).toMatchObject([{ status: 'completed', claims: claims[format] }])
})

test('one element of a list is disclosed, and the others stay concealed', async () => {
  const query = {
    credentials: [
      {
        id: 'pid',
        format: 'dc+sd-jwt',
        meta: { vct_values: ['urn:eudi:pid:1'] },
        claims: [{ path: ['nationalities', 0] }],
      },
    ],
  }
  const { wallet_uri, fetch, outcomes } = openVerifier({ issuer, query, prefix: 'x509_hash', now })

  await answerWithLibraries({ wallet_uri, fetch, issuer, now, format: 'dc+sd-jwt' })

  expect(outcomes).toMatchObject([{ status: 'completed', claims: { nationalities: ['DE'] } }])
})
