import { randomBytes } from 'node:crypto'
import {
  makeEncryptionKey,
  openResponse,
  verifyPresentation,
  type Outcome,
  type TrustContext,
} from '@vidimus/protocol'
import { buildResponse, findPersona, type DcqlQuery, type Issuer } from '@vidimus/sandbox'

/** One query per format and root certificate of the sandbox. */
export const queries = {
  pid: {
    credentials: [
      {
        id: 'pid',
        format: 'dc+sd-jwt',
        meta: { vct_values: ['urn:eudi:pid:1'] },
        claims: [{ path: ['family_name'] }],
      },
    ],
  },
  mdl: {
    credentials: [
      {
        id: 'mdl',
        format: 'mso_mdoc',
        meta: { doctype_value: 'org.iso.18013.5.1.mDL' },
        claims: [{ path: ['org.iso.18013.5.1', 'family_name'] }],
      },
    ],
  },
} as const satisfies Record<string, DcqlQuery>

export type PresentationOptions = { issuer: Issuer; query: DcqlQuery; now: number; persona?: string }

/** Answers a query with the sandbox wallet and an issuer's documents, and verifies the response, without HTTP. */
export async function presentAndVerify(
  { issuer, query, now, persona = 'adult' }: PresentationOptions,
  trust: TrustContext,
): Promise<Outcome> {
  const at = new Date(now * 1000)
  const encryption_key = makeEncryptionKey(randomBytes(48))
  const verification = {
    client_id: 'x509_hash:abc',
    nonce: randomBytes(32).toString('base64url'),
    state: randomBytes(32).toString('base64url'),
    response_uri: 'https://verifier.example/response',
  }
  const holdings = findPersona(persona)?.credentials(at) ?? []
  const form = await buildResponse(
    { issuer, credentials: holdings },
    {
      channel: 'redirect',
      ...verification,
      dcql_query: query,
      encryption: { jwk: encryption_key.jwk, enc_values: ['A128GCM'] },
      expires_at: now + 300,
    },
    at,
  )
  const response = openResponse(new URLSearchParams(form).toString(), {
    channel: 'redirect',
    state: verification.state,
    encryption_key,
  })
  if (response.kind !== 'presentation') throw new Error(`expected a presentation, got ${response.kind}`)
  const { state: _, ...bound } = verification
  const request = {
    binding: {
      channel: 'redirect' as const,
      ...bound,
      encryption_key_thumbprint: encryption_key.thumbprint,
    },
    created_at: now,
    dcql_query: JSON.parse(JSON.stringify(query)),
  }
  return verifyPresentation(request, response.vp_token, trust, now)
}
