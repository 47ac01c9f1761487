import type { CreateVerification } from '@vidimus/contract'
import type { Context } from '../src/engine/context.ts'
import { buildCreation } from '../src/verifications/create/create.ts'
import type { Creation } from '../src/verifications/create/store.ts'
import type { Merchant, Service } from './service.ts'

/** Creations presume the last date that this process learnt from a database, and another test may have turned that one's clock. */
export async function learnDay(service: Service): Promise<void> {
  const tenant = await service.tenant()
  await tenant.post('/v1/verifications', { template: 'age_over_18' })
}

/** A creation as the service sends it to the database, of a tenant's key. */
export function newCreation(
  ctx: Context,
  { tenant_id, key_id }: Pick<Merchant, 'tenant_id' | 'key_id'>,
  fields: Partial<Creation> = {},
  body: Partial<CreateVerification> = {},
): Creation {
  const creation = buildCreation(
    ctx,
    { kind: 'key', key_id, tenant_id, environment: 'test', scopes: [] },
    {
      body: { template: 'age_over_18', ttl_seconds: 300, ...body },
      hashed: undefined,
      resolved: { warnings: [] },
      certificate: Buffer.alloc(32),
      policies: { max_attempts: 1 },
    },
  )
  return { ...creation, ...fields }
}
