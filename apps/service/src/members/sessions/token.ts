import { hash, randomBytes } from 'node:crypto'

/** 256 random bits: a session's cookie or an invitation's link. It is given out once, and only its hash is kept. */
export function newToken(): { token: string; token_hash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, token_hash: hashToken(token) }
}

export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
