import { randomBytes } from 'node:crypto'
import type { Context } from '../../engine/context.ts'
import { type Db, tables } from '../../engine/db/index.ts'
import type { Keyring } from '../../engine/keyring/index.ts'
import { insertSecret } from './secret-store.ts'

/** Creates the secrets that sign a new tenant's deliveries, one for each environment. They are shown once. */
export async function createWebhookSecrets(
  tx: Db,
  { keyring }: Pick<Context, 'keyring'>,
  tenant_id: string,
): Promise<{ test: string; live: string }> {
  const create = async (environment: 'test' | 'live') => {
    const { secret, sealed } = newSealedSecret(keyring)
    await insertSecret(tx, { tenant_id, environment, sealed })
    return secret
  }
  return { test: await create('test'), live: await create('live') }
}

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
