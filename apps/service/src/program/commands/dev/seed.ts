import { scopes } from '@vidimus/contract'
import { createKey, createTenant, keyAuthenticator } from '../../../accounts/index.ts'
import type { ServiceContext } from '../../context.ts'
import { Refusal } from '../../../engine/basics/index.ts'
import { readTenantSecrets } from '../../../deliveries/index.ts'
import type { DevSettings } from './dev-settings.ts'

export type SeededTenant = Pick<DevSettings, 'VIDIMUS_TENANT' | 'VIDIMUS_KEY' | 'VIDIMUS_WEBHOOK_SECRET'>

const tenantName = 'Corner shop'

/** A tenant and a test key with every scope for development. Reuses the saved ones if they still exist. */
export async function seedTenant(ctx: ServiceContext, saved: Partial<DevSettings>): Promise<SeededTenant> {
  const { VIDIMUS_TENANT, VIDIMUS_KEY } = saved
  if (VIDIMUS_TENANT && VIDIMUS_KEY && (await isValidKey(ctx, VIDIMUS_KEY))) {
    // It may have been rotated since it was saved.
    const [secret = ''] = await readTenantSecrets(ctx, { tenant_id: VIDIMUS_TENANT, environment: 'test' })
    return { VIDIMUS_TENANT, VIDIMUS_KEY, VIDIMUS_WEBHOOK_SECRET: secret }
  }
  const { tenant_id, webhook_secret } = await createTenant(ctx, { name: tenantName })
  const by = { kind: 'operator', tenant_id } as const
  const { key } = await createKey(ctx, { by, environment: 'test', scopes, name: 'vidimus dev' })
  return { VIDIMUS_TENANT: tenant_id, VIDIMUS_KEY: key, VIDIMUS_WEBHOOK_SECRET: webhook_secret }
}

async function isValidKey(ctx: ServiceContext, key: string): Promise<boolean> {
  try {
    await keyAuthenticator(ctx)(key)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
