import { hash } from 'node:crypto'
import { createLocalJWKSet, decodeProtectedHeader, importJWK, jwtVerify, type JSONWebKeySet } from 'jose'
import { expect } from 'vitest'
import type { ApiResponse } from '../../caller.ts'

/** What the suite allows clocks to differ by. */
const skew_seconds = 300
const minCodeEntropy_bits = 96
/** What RFC 6749 allows in a description: no quotes, no backslash, no line breaks. */
const describable = /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

export type Claims = Record<string, unknown>

/** A code came back to the address of the request, with state and issuer, and nobody can guess it. */
export function checkSuccessResponse(returned: URL, request: URLSearchParams, issuer: string): string {
  const response = readReturned(returned, request)
  expect(response).toEqual({ code: expect.any(String), state: request.get('state'), iss: issuer })
  const code = response['code'] ?? ''
  expect(code.length * 8).toBeGreaterThanOrEqual(128)
  expect(measureEntropy(code)).toBeGreaterThan(minCodeEntropy_bits)
  return code
}

/** An error came back to the address of the request, with state and issuer, and without a code. Returns the error. */
export function checkErrorResponse(returned: URL, request: URLSearchParams, issuer: string): string {
  const response = readReturned(returned, request)
  expect(response).toEqual({
    error: expect.any(String),
    error_description: expect.stringMatching(describable),
    iss: issuer,
    ...(request.has('state') && { state: request.get('state') }),
  })
  return response['error'] ?? ''
}

function readReturned(returned: URL, request: URLSearchParams): Record<string, string> {
  expect(returned.origin + returned.pathname).toBe(request.get('redirect_uri'))
  expect(returned.hash).toBe('')
  const entries = Array.from(returned.searchParams)
  const response = Object.fromEntries(entries)
  expect(entries).toHaveLength(Object.keys(response).length)
  return response
}

/** By the frequency of each character, as the suite estimates it. */
function measureEntropy(text: string): number {
  const counts = Map.groupBy(text, (character) => character)
    .values()
    .map(({ length }) => length / text.length)
  return text.length * counts.reduce((sum, share) => sum - share * Math.log2(share), 0)
}

export function checkTokenResponse({ status, headers, body }: ApiResponse): void {
  expect(status).toBe(200)
  expect(headers.get('content-type')).toMatch(/^application\/json\b/)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(body).toMatchObject({ access_token: expect.stringMatching(/^[\x21-\x7e]+$/), token_type: 'Bearer' })
  expect(body.error).toBeUndefined()
  expect(Number.isInteger(body.expires_in) && body.expires_in > 0).toBe(true)
}

/** A refused exchange, in the words of RFC 6749 §5.2. */
export function checkTokenError({ status, headers, body }: ApiResponse, error: string): void {
  expect(status).toBe(400)
  expect(headers.get('content-type')).toMatch(/^application\/json\b/)
  expect(body).toEqual({ error, error_description: expect.stringMatching(describable) })
}

type Expected = {
  jwks: JSONWebKeySet
  issuer: string
  client_id: string
  nonce: string | null
  access_token: string
}

/** The standard checks of an ID token (OpenID Connect Core §3.1.3.7). Its key is found in the JWKS by its `kid`. */
export async function checkIdToken(
  token: string,
  { jwks, issuer, client_id, nonce, access_token }: Expected,
): Promise<Claims> {
  const { kid, alg } = decodeProtectedHeader(token)
  expect(jwks.keys.filter((key) => key.kid === kid)).toHaveLength(1)
  const { payload } = await jwtVerify(token, createLocalJWKSet(jwks), {
    issuer,
    audience: client_id,
    algorithms: [alg ?? ''],
    clockTolerance: skew_seconds,
  })
  const now = Date.now() / 1000
  const { sub, iat = 0, exp = 0, auth_time, acr } = payload
  expect(sub).toMatch(/^[\x20-\x7e]{1,255}$/)
  expect(Math.abs(iat - now)).toBeLessThan(skew_seconds)
  expect(exp).toBeGreaterThan(iat)
  expect(exp - now).toBeLessThan(3600)
  expect(Number.isInteger(auth_time) && Math.abs(Number(auth_time) - now) < skew_seconds).toBe(true)
  expect(acr).toMatch(/./)
  expect(payload['nonce'] ?? null).toBe(nonce)
  // Optional here. If it is there, it must be right.
  if ('at_hash' in payload) expect(payload['at_hash']).toBe(hashHalf(access_token))
  checkStandardClaims(payload)
  return payload
}

/** The left half of a SHA-256 (OpenID Connect Core §3.1.3.6). */
function hashHalf(text: string): string {
  return hash('sha256', text, 'buffer').subarray(0, 16).toString('base64url')
}

export function checkUserinfo({ status, headers, body }: ApiResponse, { sub }: Claims): Claims {
  expect(status).toBe(200)
  expect(headers.get('content-type')).toMatch(/^application\/json\b/)
  expect(body.sub).toBe(sub)
  checkStandardClaims(body)
  return body
}

const texts = ['sub', 'name', 'given_name', 'family_name', 'email', 'gender', 'locale', 'phone_number']

/** What has a name in OpenID Connect Core §5.1 has the type that it names. Nothing is there without a value. */
function checkStandardClaims(claims: Claims): void {
  for (const name of texts.filter((each) => each in claims))
    expect([name, claims[name]]).toEqual([name, expect.stringMatching(/\S/)])
  for (const name of ['email_verified', 'phone_number_verified'].filter((each) => each in claims))
    expect([name, typeof claims[name]]).toEqual([name, 'boolean'])
  if ('birthdate' in claims) expect(claims['birthdate']).toMatch(/^(?:0000|1[89]\d\d|20\d\d)-\d\d-\d\d$/)
  if ('updated_at' in claims) expect(claims['updated_at']).toBeTypeOf('number')
  if ('address' in claims) expect(claims['address']).toBeTypeOf('object')
}

/** Public keys only, each usable and with a `kid` of its own. */
export async function checkJwks({ keys }: JSONWebKeySet): Promise<void> {
  expect(keys.length).toBeGreaterThan(0)
  expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length)
  for (const key of keys) {
    expect(key).toMatchObject({ kid: expect.stringMatching(/./), use: 'sig', alg: expect.any(String) })
    expect(privateMembers.filter((member) => member in key)).toEqual([])
    expect(await importJWK(key)).toMatchObject({ type: 'public' })
  }
}

/** What may be in an ID token that nobody asked for. */
const unasked = [
  'iss',
  'sub',
  'aud',
  'exp',
  'iat',
  'auth_time',
  'nonce',
  'acr',
  'amr',
  'azp',
  'at_hash',
  'jti',
]

/** A warning of the suite: claims in the ID token that neither OpenID Connect nor a scope explains. */
export function findUnaskedClaims(claims: Claims): string[] {
  return Object.keys(claims)
    .filter((name) => !unasked.includes(name))
    .toSorted()
}
