import { createHash, randomBytes, X509Certificate } from 'node:crypto'
import { Openid4vpClient } from '@openid4vc/openid4vp'
import { IssuerSigned } from '@owf/mdoc'
import { calculateJwkThumbprint, CompactEncrypt, compactVerify, importJWK, type JWK } from 'jose'
import type { HeldCredential, HolderOptions, IndependentHolder } from './credential.ts'
import { presentMdl } from './owf-mdoc.ts'
import { presentSdJwtVc } from './sd-jwt-js.ts'

/** A wallet built from three libraries: `@openid4vc/openid4vp` for the protocol, `@sd-jwt/sd-jwt-vc` and `@owf/mdoc` to present. */
export const libraryHolder: IndependentHolder = {
  name: '@openid4vc/openid4vp 0.4, @sd-jwt/sd-jwt-vc, @owf/mdoc',
  open: async ({ fetch }) => ({
    respond: async (walletUri, heldCredential) =>
      (await respondWithLibraries(fetch, walletUri, heldCredential)).status,
    [Symbol.asyncDispose]: async () => {},
  }),
}

async function respondWithLibraries(
  fetch: HolderOptions['fetch'],
  walletUri: string,
  { format, credential, key }: HeldCredential,
): Promise<Response> {
  const client = new Openid4vpClient({ callbacks: { ...callbacks, fetch } })
  const { params } = client.parseOpenid4vpAuthorizationRequest({ authorizationRequest: walletUri })
  const { authorizationRequestPayload, dcql } = await client.resolveOpenId4vpAuthorizationRequest({
    authorizationRequestPayload: params,
  })
  const { client_id = '', nonce, response_uri, client_metadata } = { ...authorizationRequestPayload }
  const [jwk] = client_metadata?.jwks?.keys ?? []
  if (typeof response_uri !== 'string' || jwk === undefined)
    throw new Error('The request has no response_uri or no encryption key.')

  const thumbprint = Buffer.from(await calculateJwkThumbprint(jwk as JWK), 'base64url')
  const presentation =
    format === 'dc+sd-jwt'
      ? await presentSdJwtVc(credential, { client_id, nonce }, key)
      : await presentMdl(
          IssuerSigned.fromEncodedForOid4Vci(credential),
          { client_id, nonce, response_uri, thumbprint },
          key,
        )
  const { authorizationResponsePayload, jarm } = await client.createOpenid4vpAuthorizationResponse({
    authorizationRequestPayload,
    authorizationResponsePayload: { vp_token: { [findQueryId(dcql?.query)]: [presentation] } },
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

/** Callbacks that the library requires. */
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
    throw new Error('This wallet does not sign responses.')
  },
}

/** The queries in these tests have one credential. */
function findQueryId(query: unknown): string {
  const { credentials } = query as { credentials: { id: string }[] }
  return credentials[0]?.id ?? ''
}
