import { dashboardRoutes as routes } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { type DashboardEndpoint, dashboardEndpoint } from '../../engine/http/index.ts'
import { createKey, viewKey } from './create-key.ts'
import { getKey, listKeys } from './list-keys.ts'
import { revokeKey, rollKey } from './roll-key.ts'

export function keyDashboardRoutes(ctx: Context): DashboardEndpoint[] {
  return [
    dashboardEndpoint(routes.listKeys, async ({ member, params: { environment } }) => {
      const keys = await listKeys(ctx, { ...member, environment })
      return { body: { data: keys.map(viewKey) } }
    }),
    dashboardEndpoint(routes.createKey, async ({ member, params, body }) => {
      const { key, key_id } = await createKey(ctx, { by: member, ...params, ...body })
      return { body: { key: viewKey(await getKey(ctx, { ...member, key_id })), secret: key } }
    }),
    dashboardEndpoint(routes.revokeKey, async ({ member, params: { environment, id } }) => ({
      body: viewKey(await revokeKey(ctx, { by: member, environment, key_id: id })),
    })),
    dashboardEndpoint(routes.rollKey, async ({ member, params: { environment, id }, body }) => {
      const { row, key } = await rollKey(ctx, { by: member, environment, key_id: id, ...body })
      return { body: { key: viewKey(row), secret: key } }
    }),
  ]
}
