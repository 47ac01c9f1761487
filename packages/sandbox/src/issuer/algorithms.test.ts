import { expect, test } from 'vitest'
import { openProtocolVerification } from '../../test/protocol-verification.ts'
import type { Format } from '../documents/credential.ts'
import type { Algorithm } from '../keys/signing-key.ts'
import { findPersona } from '../personas.ts'
import { buildResponse } from '../wallet/build-response.ts'
import { createIssuer } from './create-issuer.ts'

const now = new Date()
const algorithms: Algorithm[] = ['ES256', 'ES384', 'ES512', 'ESB256', 'ESB320', 'ESB384', 'ESB512', 'EdDSA']
const queries = {
  'dc+sd-jwt': {
    id: 'pid',
    format: 'dc+sd-jwt',
    meta: { vct_values: ['urn:eudi:pid:1'] },
    claims: [{ path: ['given_name'] }],
  },
  mso_mdoc: {
    id: 'mdl',
    format: 'mso_mdoc',
    meta: { doctype_value: 'org.iso.18013.5.1.mDL' },
    claims: [{ path: ['org.iso.18013.5.1', 'given_name'] }],
  },
} satisfies Record<Format, object>
const formats: Format[] = ['dc+sd-jwt', 'mso_mdoc']

test.each(algorithms.flatMap((algorithm) => formats.map((format) => ({ algorithm, format }))))(
  'authorities, signers, status lists and holder all with $algorithm: $format is accepted',
  async ({ algorithm, format }) => {
    const issuer = createIssuer({ now, algorithm })
    const credentials = findPersona('adult')?.credentials(now) ?? []
    const { request, verify } = openProtocolVerification({
      issuer,
      now,
      query: { credentials: [queries[format]] },
    })
    const form = await buildResponse({ issuer, credentials, algorithm }, request, now)

    expect(await verify(form)).toMatchObject({ kind: 'outcome', outcome: { status: 'completed' } })
  },
)
