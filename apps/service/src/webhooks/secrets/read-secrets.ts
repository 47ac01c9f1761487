import type { Context } from '../../context.ts'
import type { Keyring } from '../../platform/keyring/open.ts'
import { unsealSecret } from './seal-secret.ts'
import { readSecrets } from './secret-store.ts'

/** The active secrets of one tenant, newest first. */
export async function readTenantSecrets(
  ctx: Pick<Context, 'db' | 'keyring'>,
  tenant_id: string,
): Promise<string[]> {
  const secrets = (await readSigningSecrets(ctx, [tenant_id])).get(tenant_id)
  if (secrets === undefined) throw new Error('The tenant has no webhook secret.')
  return secrets
}

/** The active secrets of each tenant, newest first: one, or two for a day after a rotation. */
export async function readSigningSecrets(
  { db, keyring }: Pick<Context, 'db' | 'keyring'>,
  tenant_ids: readonly string[],
): Promise<Map<string, string[]>> {
  const secrets = new Map<string, string[]>()
  for (const { tenant_id, sealed } of await readSecrets(db, tenant_ids)) {
    const tenantSecrets = secrets.get(tenant_id) ?? []
    tenantSecrets.push(await unsealSecret(keyring, sealed))
    secrets.set(tenant_id, tenantSecrets)
  }
  return secrets
}

/** The same from secrets that were read with the events of a claim. */
export async function unsealSecrets(
  keyring: Keyring,
  events: readonly { tenant_id: string; sealed: string | null }[],
): Promise<Map<string, string[]>> {
  const secrets = new Map<string, string[]>()
  for (const { tenant_id, sealed } of events) {
    if (sealed === null || secrets.has(tenant_id)) continue
    const tenantSecrets: string[] = []
    for (const each of sealed.split(' '))
      tenantSecrets.push(await unsealSecret(keyring, Buffer.from(each, 'base64')))
    secrets.set(tenant_id, tenantSecrets)
  }
  return secrets
}
