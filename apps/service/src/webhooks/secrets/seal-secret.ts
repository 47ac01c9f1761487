import { randomBytes } from 'node:crypto'
import type { Keyring } from '../../platform/keyring/open.ts'

/** Where a sealed secret lives; it opens for no other use. */
const use = 'webhook secret'
const secret_bytes = 32

/** Makes a secret, to be shown once, and its sealed form, to be kept (HOOK-10). */
export function newSealedSecret(keyring: Keyring): { secret: string; sealed: Buffer } {
  const secret = `whsec_${randomBytes(secret_bytes).toString('base64url')}`
  return { secret, sealed: keyring.seal(use, Buffer.from(secret)) }
}

export async function unsealSecret(keyring: Keyring, sealed: Uint8Array): Promise<string> {
  return (await keyring.unseal(use, sealed)).toString()
}
