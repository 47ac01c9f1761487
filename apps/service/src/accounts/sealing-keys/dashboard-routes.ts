import { dashboardRoutes as routes } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { type DashboardEndpoint, dashboardEndpoint } from '../../engine/http/index.ts'
import { listSealingKeys } from './list-keys.ts'
import { registerSealingKey } from './register-key.ts'
import { retireSealingKey } from './retire-key.ts'

/** Activating and counting concern several modules: see the dashboard's own routes. */
export function sealingDashboardRoutes(ctx: Context): DashboardEndpoint[] {
  return [
    dashboardEndpoint(routes.registerSealingKey, async ({ member: by, params, body }) => ({
      body: await registerSealingKey(ctx, { by, ...params, ...body }),
    })),
    dashboardEndpoint(routes.retireSealingKey, async ({ member: by, params, query: { end_sealing } }) => {
      await retireSealingKey(ctx, { by, ...params, end_sealing })
      const { environment } = params
      return { body: { data: await listSealingKeys(ctx, { tenant_id: by.tenant_id, environment }) } }
    }),
  ]
}
