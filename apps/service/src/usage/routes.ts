import { routes } from '@vidimus/contract'
import type { Context } from '../context.ts'
import { endpoint, type Endpoint } from '../platform/http/endpoint.ts'
import { Refusal } from '../platform/refusal.ts'
import { getUsage } from './get.ts'

export function usageRoutes(ctx: Context): Endpoint[] {
  return [
    endpoint(routes.getUsage, async ({ principal }) => {
      // A device reads what it made itself (TOKEN-5); the tenant's count is not that.
      if (principal.kind === 'device')
        throw new Refusal('insufficient_scope', 'A device may not read the usage.')
      return { body: await getUsage(ctx, principal.tenant_id) }
    }),
  ]
}
