import { randomBytes, sign } from 'node:crypto'
import {
  certify,
  createAuthority,
  exportAnchors,
  generateSigningKey,
  keyUsage,
  serveStatusList,
  subjectDnsName,
  validityAround,
  type Fetch,
  type Issuer,
} from '@vidimus/sandbox'
import {
  buildRequest,
  buildWalletUri,
  identifyVerifier,
  makeEncryptionKey,
  openResponse,
  readRequestPost,
  signRequest,
  verifyPresentation,
  type AnyQuery,
  type IdentityOptions,
  type Outcome,
  type RequestObject,
} from '../src/index.ts'

export type VerifierOptions = {
  issuer: Issuer
  query: AnyQuery
  now: Date
  prefix: IdentityOptions['prefix']
  purpose?: string
  post?: boolean
}

/** A complete verifier in memory, with the requests it served and the outcomes it decided. */
export function createVerifier({ issuer, query, now, prefix, purpose, post = false }: VerifierOptions) {
  const validity = validityAround(now, 1, 30)
  const root = createAuthority({ ...validity, name: { common_name: 'Access root' }, path_length: 0 })
  const key = generateSigningKey()
  const leaf = certify(root, {
    ...validity,
    name: { common_name: 'Verifier' },
    key,
    extensions: [keyUsage('digital_signature'), subjectDnsName('verifier.example')],
  })
  const identity = identifyVerifier({ certificates: [leaf, root.certificate], prefix })
  const encryption_key = makeEncryptionKey(randomBytes(48))
  const seconds = Math.floor(now.getTime() / 1000)
  const verification = {
    client_id: identity.client_id,
    nonce: randomBytes(32).toString('base64url'),
    state: randomBytes(32).toString('base64url'),
    response_uri: 'https://verifier.example/wallet/response/vs_1',
    dcql_query: query,
  }
  const served: RequestObject[] = []
  const outcomes: Outcome[] = []

  async function serve(body: string): Promise<string> {
    const request = buildRequest({
      ...verification,
      ...(purpose !== undefined && { purpose }),
      ...readRequestPost(body),
      encryption_jwk: encryption_key.jwk,
      issued_at: seconds,
      expires_at: seconds + 300,
    })
    served.push(request)
    return signRequest(request, identity, async (bytes) =>
      sign('sha256', bytes, { key: key.private_key, dsaEncoding: 'ieee-p1363' }),
    )
  }

  async function accept(body: string): Promise<number> {
    const response = openResponse(body, { channel: 'redirect', state: verification.state, encryption_key })
    if (response.kind !== 'presentation') return 400
    const trust = {
      anchors: exportAnchors(issuer),
      lookUpStatus: async (uri: string) => serveStatusList(issuer, uri, now),
      status_unavailable: 'fail' as const,
    }
    const { client_id, nonce, response_uri } = verification
    const request = {
      binding: {
        channel: 'redirect' as const,
        client_id,
        nonce,
        response_uri,
        encryption_key_thumbprint: encryption_key.thumbprint,
      },
      created_at: seconds,
      dcql_query: query,
    }
    outcomes.push(await verifyPresentation(request, response.vp_token, trust, seconds))
    return 200
  }

  const fetch: Fetch = async (url, { body = '' }) => {
    const isRequest = url.includes('/wallet/request/')
    const text = isRequest ? await serve(body) : '{}'
    const headers = new Headers({
      'content-type': 'application/oauth-authz-req+jwt',
      'cache-control': 'no-store',
    })
    return { status: isRequest ? 200 : await accept(body), headers, text: async () => text }
  }
  const wallet_uri = buildWalletUri({
    client_id: identity.client_id,
    request_uri: 'https://verifier.example/wallet/request/vs_1',
    ...(post && { request_uri_method: 'post' }),
  })
  return { wallet_uri, fetch, root: root.certificate, served, outcomes }
}
