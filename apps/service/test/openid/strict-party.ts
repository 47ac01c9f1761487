import { createPublicKey, hash, randomBytes, verify, type JsonWebKey } from 'node:crypto'
import type { Pending, Registration, RelyingParty, SignedIn } from './web-site.ts'

type Metadata = Record<
  'issuer' | 'authorization_endpoint' | 'token_endpoint' | 'userinfo_endpoint' | 'jwks_uri',
  string
>
type Claims = Record<string, unknown>

/**
 * A site without a library, as strict as identity brokers are: issuer, state, nonce and audience are compared as texts, only RS256 is accepted, the key is
 * found by its `kid`, and userinfo must be about the same subject.
 */
export async function useStrictParty(registration: Registration): Promise<RelyingParty> {
  const { issuer, client_id, redirect_uri } = registration
  const metadata = await readJson<Metadata>(`${issuer}/.well-known/openid-configuration`)
  demand(metadata.issuer === issuer, 'the issuer in the discovery document')
  return {
    start() {
      const [state = '', nonce = '', verifier = ''] = [1, 2, 3].map(() =>
        randomBytes(32).toString('base64url'),
      )
      const url = new URL(metadata.authorization_endpoint)
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id,
        redirect_uri,
        scope: 'openid vidimus:age_over_18',
        state,
        nonce,
        code_challenge: hash('sha256', verifier, 'base64url'),
        code_challenge_method: 'S256',
      }).toString()
      return Promise.resolve({ url, pending: { state, nonce, verifier } })
    },
    finish: (returned, pending) => finish(registration, metadata, returned, pending),
  }
}

async function finish(
  { issuer, client_id, secret, redirect_uri }: Registration,
  metadata: Metadata,
  { searchParams }: URL,
  { state, nonce, verifier }: Pending,
): Promise<SignedIn> {
  demand(searchParams.get('iss') === issuer, 'iss in the response')
  demand(searchParams.get('state') === state, 'state')
  demand(!searchParams.has('error'), `error ${searchParams.get('error')}`)
  const tokens = await readJson<{ id_token: string; access_token: string; token_type: string }>(
    metadata.token_endpoint,
    {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${client_id}:${secret}`).toString('base64')}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: searchParams.get('code') ?? '',
        redirect_uri,
        code_verifier: verifier,
      }),
    },
  )
  demand(tokens.token_type.toLowerCase() === 'bearer', 'token_type')
  const claims = await verifySignature(tokens.id_token, metadata.jwks_uri)
  const now = Date.now() / 1000
  demand(claims['iss'] === issuer, 'iss')
  demand(claims['aud'] === client_id, 'aud')
  demand(claims['nonce'] === nonce, 'nonce')
  demand(Number(claims['exp']) > now && Math.abs(Number(claims['iat']) - now) < 60, 'exp and iat')
  demand(typeof claims['sub'] === 'string' && claims['sub'] !== '', 'sub')
  const userinfo = await readJson<Claims>(metadata.userinfo_endpoint, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  })
  demand(userinfo['sub'] === claims['sub'], 'sub in userinfo')
  return { claims, userinfo }
}

async function verifySignature(token: string, jwks_uri: string): Promise<Claims> {
  const [header = '', payload = '', signature = ''] = token.split('.')
  const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as Record<string, unknown>
  demand(alg === 'RS256', `alg ${String(alg)}`)
  const { keys } = await readJson<{ keys: (JsonWebKey & { kid?: string; use?: string })[] }>(jwks_uri)
  const [key, ...others] = keys.filter((each) => each.kid === kid && each.kty === 'RSA' && each.use === 'sig')
  if (key === undefined || others.length > 0) throw new Error('There is not one key with this kid.')
  const signed = Buffer.from(`${header}.${payload}`)
  const publicKey = createPublicKey({ key, format: 'jwk' })
  demand(verify('sha256', signed, publicKey, Buffer.from(signature, 'base64url')), 'the signature')
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims
}

async function readJson<Body>(url: string, init?: RequestInit): Promise<Body> {
  const response = await fetch(url, { redirect: 'error', ...init })
  demand(response.ok, `${url}: ${response.status}`)
  demand((response.headers.get('content-type') ?? '').startsWith('application/json'), `${url}: no JSON`)
  return (await response.json()) as Body
}

function demand(holds: boolean, what: string): void {
  if (!holds) throw new Error(`Refused: ${what}`)
}
