import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { compactDecrypt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { clientMetadata, createAccessIdentity } from './access-identity.ts'

export type RequestAlterations = {
  header?: Record<string, unknown>
  claims?: Record<string, unknown>
  http_headers?: Record<string, string>
}

export type VerifierOptions = {
  query: unknown
  prefix?: 'x509_hash' | 'x509_san_dns'
  method?: 'get' | 'post'
  now?: Date
  alterations?: RequestAlterations
}

/** A minimal verifier: it serves one request object, valid or altered, and decrypts the response. */
export async function startVerifier({
  query,
  prefix = 'x509_hash',
  method = 'get',
  now,
  alterations,
}: VerifierOptions) {
  const issuedAt = now ?? new Date()
  const identity = createAccessIdentity(issuedAt)
  const clientId = identity.client_ids[prefix]
  const encryption = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true })
  const responses: Record<string, unknown>[] = []

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const fields = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()))
      void (request.url === '/request' ? serveRequest(fields) : acceptResponse(fields)).then(
        ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server's address is never a string.
  const base = `http://localhost:${(server.address() as AddressInfo).port}`

  async function serveRequest({ wallet_nonce }: Record<string, string>) {
    const jwk = { ...(await exportJWK(encryption.publicKey)), kid: 'one', use: 'enc', alg: 'ECDH-ES' }
    const seconds = Math.floor(issuedAt.getTime() / 1000)
    const body = await new SignJWT({
      client_id: clientId,
      response_type: 'vp_token',
      response_mode: 'direct_post.jwt',
      response_uri: `${base}/response`,
      aud: 'https://self-issued.me/v2',
      nonce: randomBytes(32).toString('base64url'),
      state: randomBytes(32).toString('base64url'),
      iat: seconds,
      exp: seconds + 300,
      dcql_query: query,
      client_metadata: {
        jwks: { keys: [jwk] },
        ...clientMetadata,
      },
      ...(wallet_nonce === undefined ? {} : { wallet_nonce }),
      ...alterations?.claims,
    })
      .setProtectedHeader({
        alg: 'ES256',
        typ: 'oauth-authz-req+jwt',
        x5c: identity.x5c,
        ...alterations?.header,
      })
      .sign(identity.key.private_key)
    const headers = {
      'content-type': 'application/oauth-authz-req+jwt',
      'cache-control': 'no-store',
      ...alterations?.http_headers,
    }
    return { status: 200, headers, body }
  }

  async function acceptResponse(fields: Record<string, string>) {
    if (responses.length > 0) return { status: 409, headers: {}, body: '{"error":{}}' }
    const { response } = fields
    if (response === undefined) {
      responses.push(fields)
    } else {
      const { plaintext } = await compactDecrypt(response, encryption.privateKey)
      const parameters: unknown = JSON.parse(Buffer.from(plaintext).toString())
      responses.push(parameters as Record<string, unknown>)
    }
    return { status: 200, headers: { 'content-type': 'application/json' }, body: '{}' }
  }

  const uri = new URLSearchParams({ client_id: clientId, request_uri: `${base}/request` })
  if (method === 'post') uri.set('request_uri_method', 'post')
  return {
    wallet_uri: `openid4vp://?${uri.toString()}`,
    client_id: clientId,
    root: identity.root,
    responses,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
