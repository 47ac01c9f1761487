import { hash, randomBytes } from 'node:crypto'
import type { Config } from '../../engine/config/index.ts'

/** The cell and 256 random bits, for a session cookie or an invitation link. Only the hash is stored. */
export function newToken({ CELL }: Pick<Config, 'CELL'>): { token: string; token_hash: Buffer } {
  const token = CELL + randomBytes(32).toString('base64url')
  return { token, token_hash: hashToken(token) }
}

export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/** The cell of a token; undefined for one of a release without cells. */
export function cellOfToken(token: string): string | undefined {
  return token.length === 44 ? token.charAt(0) : undefined
}
