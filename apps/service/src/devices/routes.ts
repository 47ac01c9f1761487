import { routes } from '@vidimus/contract'
import { requireWritable } from '../engine/db/index.ts'
import { type Endpoint, endpoint } from '../engine/http/index.ts'
import type { TemplateContext } from '../templates/index.ts'
import { changeDevice } from './change-device.ts'
import { enrollDevice } from './pairing/enroll.ts'
import { listAllDevices, viewDevice } from './list-devices.ts'
import { refreshDeviceToken } from './tokens/issue-tokens.ts'
import { registerDevice, renewPairingCode } from './pairing/register.ts'
import { revokeDevice } from './revoke-device.ts'
import { getTillSettings } from './till/get-settings.ts'
import { checkPin } from './till/pin.ts'

export function deviceRoutes(ctx: TemplateContext): Endpoint[] {
  return [
    endpoint(routes.registerDevice, async ({ principal, body }) => {
      const { row, pairing_code } = await registerDevice(ctx, principal, body)
      return { body: { device: viewDevice(row), pairing_code } }
    }),
    endpoint(routes.listDevices, async ({ principal }) => ({
      body: { data: await listAllDevices(ctx, principal) },
    })),
    endpoint(routes.revokeDevice, async ({ principal, params }) => ({
      body: viewDevice(await revokeDevice(ctx, principal, params.id)),
    })),
    endpoint(routes.changeDevice, async ({ principal, params, body }) => ({
      body: viewDevice(await changeDevice(ctx, principal, { ...params, ...body })),
    })),
    endpoint(routes.renewPairingCode, async ({ principal, params, body }) => {
      const { row, pairing_code } = await renewPairingCode(ctx, principal, { ...params, ...body })
      return { body: { device: viewDevice(row), pairing_code } }
    }),
    endpoint(routes.getTillSettings, async ({ principal }) => ({
      body: await getTillSettings(ctx, principal),
    })),
    endpoint(routes.checkPin, async ({ principal, body }) => ({
      body: await checkPin(ctx, principal, body.pin),
    })),
    endpoint(routes.enrollDevice, async ({ body, address }) => ({
      body: await enrollDevice(ctx, { ...body, address }),
    })),
    endpoint(
      routes.refreshDeviceToken,
      async ({ body }) => ({ body: await refreshDeviceToken(ctx, body.refresh_token) }),
      // A device sends its token once, and before that an empty request, to see whether the service responds. During a failover
      // it must not: a token that is lost costs the pairing.
      { beforeInvalid: () => requireWritable(ctx.db) },
    ),
  ]
}
