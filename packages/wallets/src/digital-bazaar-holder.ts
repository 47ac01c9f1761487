import { X509Certificate } from 'node:crypto'
import { oid4vp } from '@digitalbazaar/oid4-client'
import { calculateJwkThumbprint, decodeProtectedHeader, jwtVerify, type JWK } from 'jose'
import { presentWithAuth0 } from './auth0-mdoc.ts'
import type { HeldCredential, HolderOptions, IndependentHolder, HolderVerification } from './credential.ts'
import { presentWithMeeco } from './meeco-sd-jwt.ts'

/**
 * A wallet built from three more libraries: `@digitalbazaar/oid4-client` creates and encrypts the response, `@meeco/sd-jwt` and
 * `@auth0/mdl` present. oid4-client compares `x509_hash` as plain base64 and so refuses most certificates; `jose` reads the request
 * instead.
 */
export const digitalBazaarHolder: IndependentHolder = {
  name: 'oid4-client 5.10, @meeco/sd-jwt, @auth0/mdl',
  open: async (options) => openHolder(options),
}

function openHolder({ fetch }: HolderOptions): HolderVerification {
  return {
    async respond(walletUri, credential) {
      const request = await readRequest(fetch, walletUri)
      const presentation = await present(credential, request)
      const [query] = request.dcql_query.credentials
      const { authorizationResponse } = await oid4vp.authzResponse.create({
        authorizationRequest: request,
        vpToken: { [query?.id ?? '']: [presentation] },
        vpTokenMediaType:
          credential.format === 'mso_mdoc' ? 'application/mdl-vp-token' : 'application/vp-token',
        encryptionOptions:
          credential.format === 'mso_mdoc'
            ? { mdl: { handover: { type: 'OpenID4VPHandover', nonce: request.nonce } } }
            : {},
      })
      const { status } = await fetch(request.response_uri, {
        method: 'POST',
        headers: { accept: 'application/json' },
        body: new URLSearchParams(authorizationResponse),
      })
      return status
    },
    [Symbol.asyncDispose]: async () => {},
  }
}

type AuthorizationRequest = {
  client_id: string
  nonce: string
  response_uri: string
  response_mode: string
  client_metadata: { jwks: { keys: JWK[] } }
  dcql_query: { credentials: { id: string }[] }
}

async function readRequest(fetch: HolderOptions['fetch'], walletUri: string): Promise<AuthorizationRequest> {
  const requestUri = new URL(walletUri).searchParams.get('request_uri') ?? ''
  const jwt = await (await fetch(requestUri)).text()
  const [leaf = ''] = decodeProtectedHeader(jwt).x5c ?? []
  const { publicKey } = new X509Certificate(Buffer.from(leaf, 'base64'))
  const { payload } = await jwtVerify<AuthorizationRequest>(jwt, publicKey, { typ: 'oauth-authz-req+jwt' })
  return payload
}

async function present(
  { format, credential, key }: HeldCredential,
  request: AuthorizationRequest,
): Promise<string> {
  if (format === 'dc+sd-jwt') return presentWithMeeco(credential, request, key)
  const [jwk] = request.client_metadata.jwks.keys
  if (jwk === undefined) throw new Error('The request has no encryption key.')
  const thumbprint = Buffer.from(await calculateJwkThumbprint(jwk), 'base64url')
  return presentWithAuth0(credential, { ...request, thumbprint }, key)
}
