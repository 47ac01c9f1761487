import { z } from 'zod'
import { ChangeDevice, RegisterDevice, RenewPairingCode } from '../devices.ts'
import { describe } from '../values.ts'
import { ListDevices, DashboardDevice, DevicePage, PairingOffer } from './devices.ts'
import { FigureQuery, Figures } from './figures.ts'
import { CreatedKey, CreateKey, exampleKeyId, Key, KeyList, RollKey } from './keys.ts'
import { Overview } from './overview.ts'
import { dashboardPaths as at } from './paths.ts'
import type { DashboardRoute } from './route.ts'
import { EnvironmentName } from './values.ts'

const environmentParams = z.object({ environment: EnvironmentName })
const keyParams = z.object({
  environment: EnvironmentName,
  id: describe(z.uuid(), 'The id of the key.', exampleKeyId),
})
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
  getFigures: {
    ...at.getFigures,
    summary: 'Get outcomes, times to answer and the funnel of a range of days',
    may: 'read',
    params: environmentParams,
    query: FigureQuery,
    success: { status: 200, body: Figures },
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
    confirmed: true,
    params: environmentParams,
    json: CreateKey,
    success: { status: 201, body: CreatedKey },
  },
  revokeKey: {
    ...at.revokeKey,
    summary: 'Revoke an API key',
    may: 'manage_keys',
    confirmed: false,
    params: keyParams,
    not_found: 'key_not_found',
    success: { status: 200, body: Key },
  },
  rollKey: {
    ...at.rollKey,
    summary: 'Replace an API key; the new one is shown only once, the old one works until the overlap ends',
    may: 'manage_keys',
    confirmed: true,
    params: keyParams,
    not_found: 'key_not_found',
    json: RollKey,
    success: { status: 201, body: CreatedKey },
    refusals: ['key_not_usable', 'role_not_allowed', 'too_many'],
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
    confirmed: true,
    params: environmentParams,
    json: RegisterDevice,
    success: { status: 201, body: PairingOffer },
  },
  revokeDevice: {
    ...at.revokeDevice,
    summary: 'Revoke a device and all of its tokens',
    may: 'manage_devices',
    confirmed: false,
    params: idParams,
    not_found: 'device_not_found',
    success: { status: 200, body: DashboardDevice },
  },
  changeDevice: {
    ...at.changeDevice,
    summary: 'Rename a device or change its templates; absent members stay unchanged',
    may: 'manage_devices',
    confirmed: true,
    params: idParams,
    not_found: 'device_not_found',
    json: ChangeDevice,
    success: { status: 200, body: DashboardDevice },
    refusals: ['device_revoked', 'unknown_template', 'sealing_conflict'],
  },
  renewPairingCode: {
    ...at.renewPairingCode,
    summary: 'Create a new pairing code for a device; its tokens stop working',
    may: 'manage_devices',
    confirmed: true,
    params: idParams,
    not_found: 'device_not_found',
    json: RenewPairingCode,
    success: { status: 201, body: PairingOffer },
    refusals: ['device_revoked', 'quota_exceeded'],
  },
} satisfies Record<string, DashboardRoute>
