import { dashboardRoutes as routes } from '@vidimus/contract'
import type { Context } from '../context.ts'
import { dashboardEndpoint, type DashboardEndpoint } from '../platform/http/endpoint.ts'
import { listDevicePage } from './list-page.ts'
import { registerDevice } from './pairing/register.ts'
import { revokeDevice } from './revoke.ts'
import { viewListedDevice } from './view.ts'

export function deviceDashboardRoutes(ctx: Context): DashboardEndpoint[] {
  return [
    dashboardEndpoint(routes.listDevices, async ({ member, params: { environment }, query }) => ({
      body: await listDevicePage(ctx, { ...member, environment }, query),
    })),
    dashboardEndpoint(routes.registerDevice, async ({ member, params: { environment }, body }) => {
      const { row, pairing_code } = await registerDevice(ctx, { ...member, environment }, body)
      // The code is a credential, so it is in the fragment, which browsers do not send.
      const pairing_url = `${ctx.config.BASE_URL}/till#${pairing_code}`
      return { body: { device: viewListedDevice(row), pairing_code, pairing_url } }
    }),
    dashboardEndpoint(routes.revokeDevice, async ({ member, params: { environment, id } }) => ({
      body: viewListedDevice(await revokeDevice(ctx, { ...member, environment }, id)),
    })),
  ]
}
