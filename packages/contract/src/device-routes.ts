import { z } from 'zod'
import {
  ChangeDevice,
  DeviceList,
  Device,
  EnrollDevice,
  RefreshDeviceToken,
  RegisterDevice,
  RegisteredDevice,
  RenewPairingCode,
  TokenPair,
} from './devices.ts'
import type { PublishedRoute } from './route.ts'
import { CheckPin, PinCheck, TillSettings } from './till.ts'
import { describe } from './values.ts'

const deviceParams = z.object({
  id: describe(z.uuid(), 'The id of the device.', '8f14e45f-ceea-4672-9c1b-3d1f0a7e5b42'),
})

/** The routes by which merchants manage their devices, and devices get their tokens and settings. */
export const deviceRoutes = {
  registerDevice: {
    method: 'POST',
    path: '/v1/devices',
    summary: 'Register a device and get a pairing code',
    scope: 'devices:manage',
    json: RegisterDevice,
    success: {
      status: 201,
      body: RegisteredDevice,
      description: 'The device and its pairing code.',
    },
    refusals: ['unknown_template', 'quota_exceeded', 'sealing_conflict'],
  },
  listDevices: {
    method: 'GET',
    path: '/v1/devices',
    summary: 'List devices, newest first',
    scope: 'devices:manage',
    success: {
      status: 200,
      body: DeviceList,
      description: 'All devices of the environment.',
    },
  },
  revokeDevice: {
    method: 'DELETE',
    path: '/v1/devices/{id}',
    summary: 'Revoke a device and all of its tokens',
    scope: 'devices:manage',
    params: deviceParams,
    not_found: 'device_not_found',
    success: {
      status: 200,
      body: Device,
      description: 'The revoked device.',
    },
  },
  changeDevice: {
    method: 'PATCH',
    path: '/v1/devices/{id}',
    summary: 'Rename a device or change its templates',
    scope: 'devices:manage',
    params: deviceParams,
    not_found: 'device_not_found',
    json: ChangeDevice,
    success: {
      status: 200,
      body: Device,
      description: 'The device as it is now. Members that you omit stay unchanged.',
    },
    refusals: ['device_revoked', 'unknown_template', 'sealing_conflict'],
  },
  renewPairingCode: {
    method: 'POST',
    path: '/v1/devices/{id}/pairing-code',
    summary: 'Create a new pairing code for a device that must be paired again',
    scope: 'devices:manage',
    params: deviceParams,
    not_found: 'device_not_found',
    json: RenewPairingCode,
    success: {
      status: 201,
      body: RegisteredDevice,
      description: 'The device, `pending` again, and its new pairing code. Its tokens no longer work.',
    },
    refusals: ['device_revoked', 'quota_exceeded'],
  },
  getTillSettings: {
    method: 'GET',
    path: '/v1/devices/till',
    summary: 'Get what a till shows and does between checks (for devices)',
    scope: 'verifications:create',
    success: {
      status: 200,
      body: TillSettings,
      description: 'The merchant and the settings of the device.',
    },
  },
  checkPin: {
    method: 'POST',
    path: '/v1/devices/till/pin',
    summary: 'Check the PIN of a till (for devices)',
    scope: 'verifications:create',
    json: CheckPin,
    success: {
      status: 200,
      body: PinCheck,
      description: 'Whether it is correct.',
    },
  },
  enrollDevice: {
    method: 'POST',
    path: '/v1/devices/enroll',
    summary: 'Exchange a pairing code for a token pair',
    json: EnrollDevice,
    success: {
      status: 200,
      body: TokenPair,
      description: 'The first token pair of the device.',
    },
    refusals: ['invalid_pairing_code'],
  },
  refreshDeviceToken: {
    method: 'POST',
    path: '/v1/devices/token',
    summary: 'Exchange a refresh token for a new pair; a spent one revokes the device',
    json: RefreshDeviceToken,
    success: {
      status: 200,
      body: TokenPair,
      description: 'A new token pair. The previous one no longer works.',
    },
    refusals: ['invalid_refresh_token'],
  },
} satisfies Record<string, PublishedRoute>
