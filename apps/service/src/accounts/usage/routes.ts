import { routes } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { type Endpoint, endpoint } from '../../engine/http/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { getUsage } from './get-usage.ts'

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
