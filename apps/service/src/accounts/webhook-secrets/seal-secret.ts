import { randomBytes } from 'node:crypto'
import type { Keyring } from '../../engine/keyring/index.ts'
import { tables } from '../../engine/db/index.ts'

/** Binds the sealed secret to its purpose: it cannot be unsealed for another one. */
const webhookSecretUse = tables.webhook_secrets.sealed.sealed
const secret_bytes = 32

/** Creates a secret, to be shown once, with its sealed form, to be stored (HOOK-10). */
export function newSealedSecret(keyring: Keyring): { secret: string; sealed: Buffer } {
  const secret = `whsec_${randomBytes(secret_bytes).toString('base64url')}`
  return { secret, sealed: keyring.seal(webhookSecretUse, Buffer.from(secret)) }
}

export async function unsealSecret(keyring: Keyring, sealed: Uint8Array): Promise<string> {
  return (await keyring.unseal(webhookSecretUse, sealed)).toString()
}
