import { hash, randomBytes } from 'node:crypto'
import { tables } from '../../engine/db/index.ts'
import type { Keyring } from '../../engine/keyring/index.ts'

/** Binds the sealed code to its purpose. */
const linkCodeUse = tables.verification_links.sealed.sealed_code
const code_bytes = 16
const codeShape = /^[0-9A-Za-z][A-Za-z0-9_-]{22}$/

/**
 * The cell and 128 random bits. Whoever has a code can start a verification at the tenant's expense, and for a link of one person respond
 * in that person's place. So it is stored hashed to be found, and sealed to be shown again: a copy of the database opens no link.
 */
export function newLinkCode(cell: string): string {
  return `${cell}${randomBytes(code_bytes).toString('base64url')}`
}

export function isLinkCode(text: string): boolean {
  return codeShape.test(text)
}

/** With 128 random bits, a plain hash cannot be reversed. */
export function hashLinkCode(code: string): Buffer {
  return hash('sha256', code, 'buffer')
}

export function sealLinkCode(keyring: Keyring, code: string): Buffer {
  return keyring.seal(linkCodeUse, Buffer.from(code))
}

export async function unsealLinkCode(keyring: Keyring, sealed: Uint8Array): Promise<string> {
  return (await keyring.unseal(linkCodeUse, sealed)).toString()
}
