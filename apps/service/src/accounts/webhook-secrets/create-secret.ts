import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { newSealedSecret } from './seal-secret.ts'
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
