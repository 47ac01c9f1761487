import { createHash, randomBytes, X509Certificate } from 'node:crypto'
import { Openid4vpClient } from '@openid4vc/openid4vp'
import { generateSigningKey, type Issuer } from '@vidimus/sandbox'
import { calculateJwkThumbprint, CompactEncrypt, compactVerify, importJWK, type JWK } from 'jose'
import { issueMdl, presentMdl } from './mdoc-library.ts'
import { issueSdJwtVc, presentSdJwtVc } from './sd-jwt-library.ts'

export type Asked = {
  wallet_uri: string
  fetch: typeof globalThis.fetch
  issuer: Issuer
  now: Date
  format: 'dc+sd-jwt' | 'mso_mdoc'
}

/** A wallet of three libraries: `@openid4vc/openid4vp` speaks, `@sd-jwt/sd-jwt-vc` and `@owf/mdoc` issue and present. */
export async function answerWithLibraries({
  wallet_uri,
  fetch,
  issuer,
  now,
  format,
}: Asked): Promise<Response> {
  const client = new Openid4vpClient({ callbacks: { ...callbacks, fetch } })
  const { params } = client.parseOpenid4vpAuthorizationRequest({ authorizationRequest: wallet_uri })
  const { authorizationRequestPayload, dcql } = await client.resolveOpenId4vpAuthorizationRequest({
    authorizationRequestPayload: params,
  })
  const { client_id = '', nonce, response_uri, client_metadata } = { ...authorizationRequestPayload }
  const [jwk] = client_metadata?.jwks?.keys ?? []
  if (typeof response_uri !== 'string' || jwk === undefined) throw new Error('no answer was asked for')

  const holderKey = generateSigningKey()
  const thumbprint = Buffer.from(await calculateJwkThumbprint(jwk as JWK), 'base64url')
  const presentation =
    format === 'dc+sd-jwt'
      ? await presentSdJwtVc(await issueSdJwtVc(issuer, holderKey, now), { client_id, nonce }, holderKey)
      : await presentMdl(
          await issueMdl(issuer, holderKey, now),
          { client_id, nonce, response_uri, thumbprint },
          holderKey,
        )
  const { authorizationResponsePayload, jarm } = await client.createOpenid4vpAuthorizationResponse({
    authorizationRequestPayload,
    authorizationResponsePayload: { vp_token: { [idOf(dcql?.query)]: [presentation] } },
    jarm: { encryption: { nonce: randomBytes(16).toString('base64url'), jwk }, serverMetadata },
  })
  const { response } = await client.submitOpenid4vpAuthorizationResponse({
    authorizationRequestPayload: { response_uri },
    authorizationResponsePayload,
    ...(jarm !== undefined && { jarm }),
  })
  return response
}

const serverMetadata = {
  authorization_signing_alg_values_supported: [],
  authorization_encryption_alg_values_supported: ['ECDH-ES'],
  authorization_encryption_enc_values_supported: ['A128GCM', 'A256GCM'],
}

/** What the library leaves to its caller. */
const callbacks: ConstructorParameters<typeof Openid4vpClient>[0]['callbacks'] = {
  hash: (data, algorithm) => createHash(algorithm.replace('-', '')).update(data).digest(),
  verifyJwt: async (signer, { compact }) => {
    if (signer.method !== 'x5c') return { verified: false }
    const { publicKey } = new X509Certificate(Buffer.from(signer.x5c[0] ?? '', 'base64'))
    await compactVerify(compact, publicKey, { algorithms: ['ES256'] })
    return { verified: true, signerJwk: { ...publicKey.export({ format: 'jwk' }), kty: 'EC' } }
  },
  encryptJwe: async ({ publicJwk, alg, enc, apu, apv }, data) => {
    const header = { alg, enc, ...(publicJwk.kid !== undefined && { kid: publicJwk.kid }) }
    const agreement = {
      ...(apu !== undefined && { apu: Buffer.from(apu, 'base64url') }),
      ...(apv !== undefined && { apv: Buffer.from(apv, 'base64url') }),
    }
    const jwe = await new CompactEncrypt(Buffer.from(data))
      .setProtectedHeader(header)
      .setKeyManagementParameters(agreement)
      .encrypt(await importJWK(publicJwk as JWK, alg))
    return { encryptionJwk: publicJwk, jwe }
  },
  getX509CertificateMetadata: (certificate) => {
    const { subjectAltName = '' } = new X509Certificate(Buffer.from(certificate, 'base64'))
    return {
      sanDnsNames: subjectAltName.split(', ').map((name) => name.replace(/^DNS:/, '')),
      sanUriNames: [],
    }
  },
  decryptJwe: () => ({ decrypted: false }),
  signJwt: () => {
    throw new Error('this wallet signs no responses')
  },
}

/** The query of these tests has one credential. */
function idOf(query: unknown): string {
  const { credentials } = query as { credentials: { id: string }[] }
  return credentials[0]?.id ?? ''
}
