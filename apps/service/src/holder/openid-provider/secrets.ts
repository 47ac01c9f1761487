import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Keyring } from '../../engine/keyring/index.ts'

type Hashing = Pick<Keyring, 'mac'>

const id_characters = 22
const secret_characters = 43
const shape = new RegExp(`^[A-Za-z0-9_-]{${id_characters + secret_characters}}$`)

/** What a code and an access token are called in their keyed hash, so that neither can be used as the other. */
type SecretUse = 'openid code' | 'openid access token'

/** The id of an authorization. It is never used again, and so neither is its code. */
export function newAuthorizationId(): string {
  return randomBytes(16).toString('base64url')
}

/** What finds the authorization that the same browser has begun with the same request, so that a reload creates nothing. */
export function hashRequest(
  keyring: Hashing,
  { browser, request }: { browser: string; request: string },
): Buffer {
  return keyring.mac('openid authorization', browser, request)
}

/** All that is stored of a browser's cookie. */
export function hashBrowser(keyring: Hashing, browser: string): Buffer {
  return keyring.mac('openid browser', browser)
}

/** A code or a token is the id with its keyed hash: there is nothing to store, and nothing in the database to steal. */
export function makeSecret(keyring: Hashing, use: SecretUse, id: string): string {
  return id + keyring.mac(use, id).toString('base64url')
}

/** The id in a code or a token. Undefined unless we issued it for this use. */
export function readSecret(keyring: Hashing, use: SecretUse, secret: string): string | undefined {
  if (!shape.test(secret)) return undefined
  const id = secret.slice(0, id_characters)
  const expected = Buffer.from(makeSecret(keyring, use, id))
  return timingSafeEqual(expected, Buffer.from(secret)) ? id : undefined
}

/** How long a wallet can respond. A person who comes from another site may still have to find the wallet. */
export const responseTime_seconds = 600
/** From the creation until the browser must have come back: the time to respond, and as long again to return. */
export const returnTime_seconds = 2 * responseTime_seconds
/** From the return of the browser until the site must have exchanged its code. */
export const codeLifetime_seconds = 60
/** How long an ID token and the access token for userinfo are valid. */
export const tokenLifetime_seconds = 300
/** How long clients may keep the published keys. */
export const jwksMaxAge_seconds = 300
/** The cookie that recognises the browser. */
export const browserCookie_seconds = 3600
