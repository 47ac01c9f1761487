import { createIssuer, generateSigningKey, type Format } from '@vidimus/sandbox'
import { expect, test } from 'vitest'
import { claims, queries } from '../test/queries.ts'
import { openVerifier, type VerifierOptions } from '../test/verifier.ts'
import type { IndependentHolder } from './credential.ts'
import { credoHolder } from './credo-holder.ts'
import { libraryHolder } from './library-holder.ts'
import { issueMdl } from './owf-mdoc.ts'
import { issueSdJwtVc } from './sd-jwt-js.ts'

const now = new Date()
const issuer = createIssuer({ now })

async function issue(format: Format) {
  const key = generateSigningKey()
  const credential =
    format === 'dc+sd-jwt'
      ? await issueSdJwtVc(issuer, key, now)
      : (await issueMdl(issuer, key, now)).encodedForOid4Vci
  return { format, credential, key }
}

async function respond(
  holder: IndependentHolder,
  format: Format,
  options: Pick<VerifierOptions, 'query' | 'prefix'>,
) {
  const { wallet_uri, fetch, access_root, outcomes } = openVerifier({ ...options, issuer, now })
  await using verification = await holder.open({ fetch, trustedRoots: [access_root] })
  const status = await verification.respond(wallet_uri, await issue(format))
  return { status, outcomes }
}

const holderCases = [credoHolder, libraryHolder].flatMap((holder) =>
  (['dc+sd-jwt', 'mso_mdoc'] as const).flatMap((format) =>
    (['x509_hash', 'x509_san_dns'] as const).map((prefix) => ({ holder, format, prefix })),
  ),
)

test.each(holderCases)(
  '$holder.name accepts the request, and its response is accepted: $format, $prefix',
  async ({ holder, format, prefix }) => {
    const { status, outcomes } = await respond(holder, format, { query: queries[format], prefix })

    expect(status).toBe(200)
    expect(outcomes).toMatchObject([{ status: 'completed', claims: claims[format] }])
  },
)

test('one array element is disclosed and the others are not', async () => {
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
  const { outcomes } = await respond(libraryHolder, 'dc+sd-jwt', { query, prefix: 'x509_hash' })

  expect(outcomes).toMatchObject([{ status: 'completed', claims: { nationalities: ['DE'] } }])
})
