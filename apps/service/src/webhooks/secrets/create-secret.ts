import type { Context } from '../../context.ts'
import type { Db } from '../../platform/db/open.ts'
import { newSealedSecret } from './seal-secret.ts'
import { insertSecret } from './secret-store.ts'

/** Creates the secret that signs a new tenant's deliveries. It is shown once. */
export async function createWebhookSecret(
  tx: Db,
  { keyring }: Pick<Context, 'keyring'>,
  tenant_id: string,
): Promise<string> {
  const { secret, sealed } = newSealedSecret(keyring)
  await insertSecret(tx, { tenant_id, sealed })
  return secret
}
