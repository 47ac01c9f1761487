import { randomBytes } from 'node:crypto'
import type { Keyring } from '../../../engine/keyring/index.ts'
import { tables } from '../../../engine/db/index.ts'

/** Binds the sealed secret to its purpose. */
const alertSecretUse = tables.alert_webhooks.sealed.sealed
const secret_bytes = 32

/** A secret in the format of every other webhook secret, so that receivers check both in the same way. */
export function newAlertSecret(keyring: Keyring): { secret: string; sealed: Buffer } {
  const secret = `whsec_${randomBytes(secret_bytes).toString('base64url')}`
  return { secret, sealed: keyring.seal(alertSecretUse, Buffer.from(secret)) }
}

export async function unsealAlertSecret(keyring: Keyring, sealed: Uint8Array): Promise<string> {
  return (await keyring.unseal(alertSecretUse, sealed)).toString()
}
