import { routes } from '@vidimus/contract'
import type { Context } from '../../context.ts'
import { endpoint, type Endpoint } from '../../engine/http/endpoint.ts'
import { Refusal } from '../../engine/basics/refusal.ts'
import { getUsage } from './get.ts'

export function usageRoutes(ctx: Context): Endpoint[] {
  return [
    endpoint(routes.getUsage, async ({ principal }) => {
      // A device may read only what it created itself (TOKEN-5), not the tenant's total.
      if (principal.kind === 'device')
        throw new Refusal('insufficient_scope', 'A device may not read the usage.')
      return { body: await getUsage(ctx, principal.tenant_id) }
    }),
  ]
}
