import { dashboardRoutes as routes, type PairingOffer } from '@vidimus/contract'
import { type DashboardEndpoint, dashboardEndpoint } from '../engine/http/index.ts'
import type { TemplateContext } from '../templates/index.ts'
import { changeDevice } from './change-device.ts'
import { listDevicePage, viewListedDevice } from './list-devices.ts'
import { registerDevice, renewPairingCode } from './pairing/register.ts'
import { revokeDevice } from './revoke-device.ts'
import type { DeviceRow } from './store.ts'

export function deviceDashboardRoutes(ctx: TemplateContext): DashboardEndpoint[] {
  return [
    dashboardEndpoint(routes.listDevices, async ({ member, params: { environment }, query }) => ({
      body: await listDevicePage(ctx, { ...member, environment }, query),
    })),
    dashboardEndpoint(routes.registerDevice, async ({ member, params: { environment }, body }) => {
      return { body: viewOffer(await registerDevice(ctx, { ...member, environment }, body)) }
    }),
    dashboardEndpoint(routes.revokeDevice, async ({ member, params: { environment, id } }) => ({
      body: viewListedDevice(await revokeDevice(ctx, { ...member, environment }, id)),
    })),
    dashboardEndpoint(routes.changeDevice, async ({ member, params: { environment, id }, body }) => ({
      body: viewListedDevice(await changeDevice(ctx, { ...member, environment }, { id, ...body })),
    })),
    dashboardEndpoint(routes.renewPairingCode, async ({ member, params: { environment, id }, body }) => ({
      body: viewOffer(await renewPairingCode(ctx, { ...member, environment }, { id, ...body })),
    })),
  ]

  /** The code is a credential, so it is in the fragment of the URL, which browsers do not send. */
  function viewOffer({ row, pairing_code }: { row: DeviceRow; pairing_code: string }): PairingOffer {
    const pairing_url = `${ctx.config.BASE_URL}/till#${pairing_code}`
    return { device: viewListedDevice(row), pairing_code, pairing_url }
  }
}
