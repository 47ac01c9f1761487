import { hash, randomBytes } from 'node:crypto'

/** 256 random bits for a session cookie or an invitation link. Only the hash is stored. */
export function newToken(): { token: string; token_hash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, token_hash: hashToken(token) }
}

export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
