import { z } from 'zod'
import { RegisterDevice } from '../devices.ts'
import { ListDevices, DashboardDevice, DevicePage, PairingOffer } from './devices.ts'
import { CreatedKey, CreateKey, Key, KeyList } from './keys.ts'
import { Overview } from './overview.ts'
import { dashboardPaths as at } from './paths.ts'
import type { DashboardRoute } from './route.ts'
import { EnvironmentName } from './values.ts'

const environmentParams = z.object({ environment: EnvironmentName })
const idParams = z.object({ environment: EnvironmentName, id: z.uuid() })

/** Overview, API keys and devices. */
export const integrationRoutes = {
  getEvents: {
    ...at.getEvents,
    summary: 'Stream changes as server-sent events',
    may: 'read',
    stream: true,
    params: environmentParams,
    success: { status: 200, body: z.string(), media: 'text/event-stream' },
  },
  getOverview: {
    ...at.getOverview,
    summary: 'Get the overview',
    may: 'read',
    params: environmentParams,
    success: { status: 200, body: Overview },
  },
  listKeys: {
    ...at.listKeys,
    summary: 'List API keys, newest first',
    may: 'read',
    params: environmentParams,
    success: { status: 200, body: KeyList },
  },
  createKey: {
    ...at.createKey,
    summary: 'Create an API key; it is shown only once',
    may: 'manage_keys',
    params: environmentParams,
    json: CreateKey,
    success: { status: 201, body: CreatedKey },
  },
  revokeKey: {
    ...at.revokeKey,
    summary: 'Revoke an API key',
    may: 'manage_keys',
    params: idParams,
    not_found: 'key_not_found',
    success: { status: 200, body: Key },
  },
  listDevices: {
    ...at.listDevices,
    summary: 'List devices, newest first',
    may: 'read',
    params: environmentParams,
    query: ListDevices,
    success: { status: 200, body: DevicePage },
  },
  registerDevice: {
    ...at.registerDevice,
    summary: 'Register a device and get a pairing code',
    may: 'manage_devices',
    params: environmentParams,
    json: RegisterDevice,
    success: { status: 201, body: PairingOffer },
  },
  revokeDevice: {
    ...at.revokeDevice,
    summary: 'Revoke a device and all of its tokens',
    may: 'manage_devices',
    params: idParams,
    not_found: 'device_not_found',
    success: { status: 200, body: DashboardDevice },
  },
} satisfies Record<string, DashboardRoute>
