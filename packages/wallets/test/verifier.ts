import { randomBytes, sign } from 'node:crypto'
import {
  buildRequest,
  identifyVerifier,
  makeEncryptionKey,
  openResponse,
  readRequestPost,
  signRequest,
  verifyPresentation,
  buildWalletUri,
  type Outcome,
} from '@vidimus/protocol'
import {
  exportAnchors,
  validityAround,
  certify,
  createAuthority,
  generateSigningKey,
  keyUsage,
  serveStatusList,
  subjectDnsName,
  type Issuer,
} from '@vidimus/sandbox'

export type VerifierOptions = {
  issuer: Issuer
  query: Parameters<typeof buildRequest>[0]['dcql_query']
  prefix: 'x509_hash' | 'x509_san_dns'
  method?: 'post'
  now: Date
}

const host = 'verifier.example'
const request_uri = `https://${host}/request`
const response_uri = `https://${host}/response`

/** The real verifier with one verification. Its `fetch` replaces the network and passes the wallet's requests to the verifier. */
export function openVerifier({ issuer, query, prefix, method, now }: VerifierOptions) {
  const access = createAccessCertificate(now)
  const identity = identifyVerifier({ certificates: [access.leaf], prefix })
  const encryptionKey = makeEncryptionKey(randomBytes(48))
  const nonce = randomBytes(32).toString('base64url')
  const state = randomBytes(32).toString('base64url')
  const seconds = Math.floor(now.getTime() / 1000)
  const verification = { client_id: identity.client_id, nonce, state, response_uri, dcql_query: query }
  const trust = {
    anchors: exportAnchors(issuer),
    lookUpStatus: async (uri: string) => serveStatusList(issuer, uri, now),
    status_unavailable: 'fail' as const,
  }
  const outcomes: (Outcome | { refused: unknown })[] = []

  async function serveRequest(post: string): Promise<Response> {
    const request = buildRequest({
      ...verification,
      encryption_jwk: encryptionKey.jwk,
      issued_at: seconds,
      expires_at: seconds + 300,
      ...readRequestPost(post),
    })
    const body = await signRequest(request, identity, async (bytes) =>
      sign('sha256', bytes, { key: access.key.private_key, dsaEncoding: 'ieee-p1363' }),
    )
    return new Response(body, { headers: { 'content-type': 'application/oauth-authz-req+jwt' } })
  }

  async function acceptResponse(body: string): Promise<Response> {
    const response = openResponse(body, { channel: 'redirect', state, encryption_key: encryptionKey })
    if (response.kind === 'presentation') {
      const verifierRequest = {
        binding: {
          channel: 'redirect' as const,
          client_id: identity.client_id,
          nonce,
          response_uri,
          encryption_key_thumbprint: encryptionKey.thumbprint,
        },
        created_at: seconds,
        dcql_query: query,
      }
      outcomes.push(await verifyPresentation(verifierRequest, response.vp_token, trust, seconds))
    } else {
      outcomes.push({ refused: response })
    }
    return Response.json({})
  }

  return {
    wallet_uri: buildWalletUri({
      client_id: identity.client_id,
      request_uri,
      ...(method !== undefined && { request_uri_method: method }),
    }),
    access_root: access.root,
    outcomes,
    fetch: async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const request = new Request(input, init)
      if (request.url === request_uri) return serveRequest(await request.text())
      if (request.url === response_uri) return acceptResponse(await request.text())
      return new Response(undefined, { status: 404 })
    },
  }
}

/** Creates the verifier's access certificate and its root. */
function createAccessCertificate(now: Date) {
  const root = createAuthority({
    ...validityAround(now, 1, 365),
    name: { country: 'UT', common_name: 'Access Root' },
    path_length: 0,
  })
  const key = generateSigningKey()
  const leaf = certify(root, {
    ...validityAround(now, 1, 30),
    name: { country: 'UT', common_name: 'Verifier' },
    key,
    extensions: [keyUsage('digital_signature'), subjectDnsName(host)],
  })
  return { root: root.certificate, leaf, key }
}
