import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { type ProviderSettings, providerSettings } from './identity-provider.ts'

type Json = Record<string, unknown>
export type ProviderHandler = (request: IncomingMessage, response: ServerResponse) => void

/** The behaviour of the provider. A test replaces one part at a time. */
export type ProviderBehaviour = {
  metadata: (honest: Json) => Json
  /** Replaces the response of a whole endpoint. */
  discovery?: ProviderHandler
  jwks?: ProviderHandler
  token?: ProviderHandler
  header: Json
  claims: Json
  sign:
    | 'RS256'
    | 'none'
    | 'HS256 with the public key'
    | 'HS256 with the client secret'
    | 'RS256 with another key'
}

export type HostileProvider = {
  issuer: string
  environment: ProviderSettings
  setBehaviour(behaviour?: Partial<ProviderBehaviour>): void
  /** Sets the nonce of the next ID token, which an honest provider knows from the request. */
  expect(nonce: string): void
  requestCounts: Record<'discovery' | 'jwks' | 'token', number>
  close(): void
}

const secret = 'the client secret'
const honest: ProviderBehaviour = { metadata: (given) => given, header: {}, claims: {}, sign: 'RS256' }

/** An OpenID Connect provider over real HTTP whose behaviour a test controls. */
export async function startHostileProvider(): Promise<HostileProvider> {
  const [own, other] = [newKey(), newKey()]
  let behaviour = honest
  let nonce = ''
  const requestCounts = { discovery: 0, jwks: 0, token: 0 }
  const server = createServer((request, response) => {
    const handler = {
      '/.well-known/openid-configuration': discovery,
      '/jwks': jwks,
      '/token': token,
    }[(request.url ?? '').split('?')[0] ?? '']
    if (handler === undefined) response.writeHead(404).end()
    else handler(request, response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  const issuer = `http://127.0.0.1:${port}`

  const discovery: ProviderHandler = (request, response) => {
    requestCounts.discovery += 1
    if (behaviour.discovery !== undefined) return behaviour.discovery(request, response)
    const given = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    }
    json(response, behaviour.metadata(given))
  }
  const jwks: ProviderHandler = (request, response) => {
    requestCounts.jwks += 1
    if (behaviour.jwks !== undefined) return behaviour.jwks(request, response)
    const jwk = own.publicKey.export({ format: 'jwk' })
    json(response, { keys: [{ ...jwk, kid: 'one', alg: 'RS256', use: 'sig' }] })
  }
  const token: ProviderHandler = (request, response) => {
    requestCounts.token += 1
    if (behaviour.token !== undefined) return behaviour.token(request, response)
    json(response, { access_token: 'x', token_type: 'Bearer', id_token: idToken() })
  }
  const idToken = () => {
    const now = Math.floor(Date.now() / 1000)
    const alg = behaviour.sign.split(' ')[0]
    const header = { alg, kid: 'one', ...behaviour.header }
    const claims = {
      iss: issuer,
      aud: 'vidimus',
      sub: 'ada',
      iat: now,
      exp: now + 300,
      nonce,
      ...behaviour.claims,
    }
    const text = [header, claims].map((part) => encode(JSON.stringify(part))).join('.')
    const signature = {
      none: () => '',
      RS256: () => rsa(own.privateKey, text),
      'RS256 with another key': () => rsa(other.privateKey, text),
      'HS256 with the public key': () => hmac(own.publicKey.export({ type: 'spki', format: 'pem' }), text),
      'HS256 with the client secret': () => hmac(secret, text),
    }[behaviour.sign]()
    return `${text}.${signature}`
  }

  return {
    issuer,
    environment: providerSettings(issuer, secret),
    setBehaviour: (changed = {}) => void (behaviour = { ...honest, ...changed }),
    expect: (given) => void (nonce = given),
    requestCounts,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function newKey() {
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url')
}

function rsa(key: KeyObject, text: string): string {
  return createSign('sha256').update(text).sign(key).toString('base64url')
}

function hmac(key: string | Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}
