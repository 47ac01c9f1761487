import { z } from 'zod'
import { text } from './text.ts'
import { Pin } from './till.ts'
import { describe, Purpose, TemplateKey, Timestamp } from './values.ts'

const exampleDeviceId = '8f14e45f-ceea-4672-9c1b-3d1f0a7e5b42'

export type DeviceStatus = z.infer<typeof DeviceStatus>
export const DeviceStatus = z.enum(['pending', 'active', 'revoked'])

export type Device = z.infer<typeof Device>
export const Device = z
  .strictObject({
    id: describe(
      z.uuid().meta({ published: { type: 'string', format: 'uuid' } }),
      'The id of the device.',
      exampleDeviceId,
    ),
    name: describe(z.string(), 'The name that you gave it.', 'Till 3'),
    status: describe(
      DeviceStatus,
      '`pending` until it is paired, then `active`. A new pairing code makes it `pending` again. A `revoked` device never becomes active again.',
      'active',
    ),
    allowed_templates: describe(z.array(TemplateKey), 'The templates that it may use.', ['age_over_18']),
    created_at: describe(Timestamp, 'When it was registered.', '2026-11-15T09:00:00.123456Z'),
    pairing_expires_at: describe(
      Timestamp,
      'Until when the pairing code works. Present only while pending.',
      '2026-11-15T09:15:00.123456Z',
    ).optional(),
    enrolled_at: describe(Timestamp, 'When it was paired.', '2026-11-15T09:02:10.123456Z').optional(),
    last_seen_at: describe(
      Timestamp,
      'When it last sent a request, to within a minute.',
      '2026-11-15T11:58:00.123456Z',
    ).optional(),
    revoked_at: describe(Timestamp, 'When it was revoked.', '2026-11-20T17:00:00.123456Z').optional(),
  })
  .meta({ id: 'Device' })

export type DeviceList = z.infer<typeof DeviceList>
export const DeviceList = z
  .strictObject({ data: describe(z.array(Device), 'Newest first.', []) })
  .meta({ id: 'DeviceList' })

export type RegisteredDevice = z.infer<typeof RegisteredDevice>
export const RegisteredDevice = z
  .strictObject({
    device: Device,
    pairing_code: describe(z.string(), '`VD-XXXX-XXXX`. Shown only once.', 'VD-7K3M-QX9T'),
  })
  .meta({ id: 'RegisteredDevice' })

export type TokenPair = z.infer<typeof TokenPair>
export const TokenPair = z
  .strictObject({
    access_token: describe(z.string(), 'Starts with `vd_`. Send it as a bearer token.', 'vd_…'),
    refresh_token: describe(z.string(), 'Starts with `vdr_`. Works once.', 'vdr_…'),
    token_type: describe(z.literal('Bearer'), 'How to send the access token.', 'Bearer'),
    expires_in: describe(z.int().min(1), 'The lifetime of the access token in seconds.', 900),
    refresh_expires_in: describe(z.int().min(1), 'The lifetime of the refresh token in seconds.', 2_592_000),
    device: Device,
  })
  .meta({ id: 'TokenPair' })

export type RegisterDevice = z.infer<typeof RegisterDevice>
export const RegisterDevice = z
  .strictObject({
    name: describe(text({ min: 1, max: 64 }), 'How you recognise the device.', 'Till 3'),
    allowed_templates: describe(
      z.array(TemplateKey).min(1).max(20),
      'The keys of the templates that it may use. Each must exist.',
      ['age_over_18'],
    ),
    pairing_ttl_seconds: describe(
      z.int().min(60).max(86_400).default(900),
      'How long the pairing code works, in seconds.',
      900,
    ),
  })
  .meta({ id: 'RegisterDevice', examples: [{ name: 'Till 3', allowed_templates: ['age_over_18'] }] })

export type ChangeDevice = z.infer<typeof ChangeDevice>
export const ChangeDevice = z
  .strictObject({
    name: RegisterDevice.shape.name.optional(),
    allowed_templates: RegisterDevice.shape.allowed_templates.optional(),
    pin: describe(
      Pin.nullable(),
      'What protects the end of a shift and the settings of the till. `null` removes it. It is never shown.',
      '4711',
    ).optional(),
    keep_awake: describe(z.boolean(), 'Whether the screen stays on between checks.', true).optional(),
    purpose: describe(
      Purpose.nullable(),
      'Why the till asks, as its customers read it. `null` removes it.',
      'Age check for alcohol',
    ).optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'give at least one member')
  .meta({ id: 'ChangeDevice', examples: [{ name: 'Till 4' }] })

export type RenewPairingCode = z.infer<typeof RenewPairingCode>
export const RenewPairingCode = z
  .strictObject({ pairing_ttl_seconds: RegisterDevice.shape.pairing_ttl_seconds })
  .meta({ id: 'RenewPairingCode', examples: [{ pairing_ttl_seconds: 900 }] })

export type EnrollDevice = z.infer<typeof EnrollDevice>
export const EnrollDevice = z
  .strictObject({
    pairing_code: describe(
      text({ min: 1, max: 32 }),
      'The code from the registration. Upper and lower case are the same.',
      'VD-7K3M-QX9T',
    ),
  })
  .meta({ id: 'EnrollDevice' })

export type RefreshDeviceToken = z.infer<typeof RefreshDeviceToken>
export const RefreshDeviceToken = z
  .strictObject({
    refresh_token: describe(
      text({ min: 1 }),
      'The latest refresh token. Sending one a second time revokes the device.',
      'vdr_…',
    ),
  })
  .meta({ id: 'RefreshDeviceToken' })
