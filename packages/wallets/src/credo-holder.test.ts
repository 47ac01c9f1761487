import { createIssuer } from '@vidimus/sandbox'
import { expect, test } from 'vitest'
import { claims, queries } from '../test/queries.ts'
import { openVerifier } from '../test/verifier.ts'
import { openCredoHolder } from './credo-holder.ts'

const now = new Date()
const issuer = createIssuer({ now })

test.each([
  ['dc+sd-jwt', 'x509_hash'],
  ['dc+sd-jwt', 'x509_san_dns'],
  ['mso_mdoc', 'x509_hash'],
  ['mso_mdoc', 'x509_san_dns'],
] as const)('a Credo holder is accepted: %s, %s', async (format, prefix) => {
  const verifier = openVerifier({ issuer, query: queries[format], prefix, now })
  await using holder = await openCredoHolder({
    issuer,
    now,
    fetch: verifier.fetch,
    trusted: [verifier.access_root],
  })

  const answered = await holder.answer(verifier.wallet_uri)

  expect(answered).toMatchObject({ ok: true })
  expect(verifier.outcomes).toMatchObject([{ status: 'completed', claims: claims[format] }])
})
