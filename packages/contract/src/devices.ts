import { z } from 'zod'
import { text } from './text.ts'
import { TemplateKey, Timestamp } from './values.ts'

export type DeviceStatus = z.infer<typeof DeviceStatus>
export const DeviceStatus = z.enum(['pending', 'active', 'revoked'])

export type Device = z.infer<typeof Device>
export const Device = z
  .strictObject({
    id: z.uuid().meta({ published: { type: 'string', format: 'uuid' } }),
    name: z.string(),
    status: DeviceStatus,
    allowed_templates: z.array(TemplateKey),
    created_at: Timestamp,
    pairing_expires_at: Timestamp.optional(),
    enrolled_at: Timestamp.optional(),
    last_seen_at: Timestamp.optional(),
    revoked_at: Timestamp.optional(),
  })
  .meta({ id: 'Device' })

export type DeviceList = z.infer<typeof DeviceList>
export const DeviceList = z.strictObject({ data: z.array(Device) }).meta({ id: 'DeviceList' })

export type RegisteredDevice = z.infer<typeof RegisteredDevice>
export const RegisteredDevice = z
  .strictObject({
    device: Device,
    pairing_code: z.string().meta({ description: '`VD-XXXX-XXXX`. Shown only once.' }),
  })
  .meta({ id: 'RegisteredDevice' })

export type TokenPair = z.infer<typeof TokenPair>
export const TokenPair = z
  .strictObject({
    access_token: z.string().meta({ description: 'Starts with `vd_`. Send it as a bearer token.' }),
    refresh_token: z.string().meta({ description: 'Starts with `vdr_`. Works once.' }),
    token_type: z.literal('Bearer'),
    expires_in: z.int().min(1),
    refresh_expires_in: z.int().min(1),
    device: Device,
  })
  .meta({ id: 'TokenPair' })

export type RegisterDevice = z.infer<typeof RegisterDevice>
export const RegisterDevice = z
  .strictObject({
    name: text({ min: 1, max: 64 }),
    allowed_templates: z.array(TemplateKey).min(1).max(20),
    pairing_ttl_seconds: z.int().min(60).max(86_400).default(900),
  })
  .meta({ id: 'RegisterDevice' })

export type EnrollDevice = z.infer<typeof EnrollDevice>
export const EnrollDevice = z
  .strictObject({ pairing_code: text({ min: 1, max: 32 }) })
  .meta({ id: 'EnrollDevice' })

export type RefreshDeviceToken = z.infer<typeof RefreshDeviceToken>
export const RefreshDeviceToken = z
  .strictObject({ refresh_token: text({ min: 1 }) })
  .meta({ id: 'RefreshDeviceToken' })
