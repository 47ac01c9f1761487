import { z } from 'zod'
import { Device } from '../devices.ts'
import { TimestampInput, queryInteger } from '../values.ts'

/** A device as in the API, with details for the dashboard. */
export type DashboardDevice = z.infer<typeof DashboardDevice>
export const DashboardDevice = z
  .strictObject({
    ...Device.shape,
    /** Its pairing code expired unused. */
    expired: z.boolean(),
    /** Revoked because a spent refresh token was used again. */
    revoked_by_reuse: z.boolean(),
    /** Whether it has a PIN. */
    pin: z.boolean(),
    keep_awake: z.boolean(),
    /** Why its till asks. */
    purpose: z.string().optional(),
  })
  .meta({ id: 'DashboardDevice' })

export type DevicePage = z.infer<typeof DevicePage>
export const DevicePage = z
  .strictObject({
    data: z.array(DashboardDevice),
    /** The cursor of the next page. Absent on the last page. */
    next_before: z.string().optional(),
  })
  .meta({ id: 'DevicePage' })

export type ListDevices = z.infer<typeof ListDevices>
export const ListDevices = z.strictObject({
  limit: queryInteger({ min: 1, max: 100, defaultValue: 50 }),
  before: z
    .string()
    .regex(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z_[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/,
      'must be the next_before of a previous page',
    )
    .refine(
      (value) => TimestampInput.safeParse(value.slice(0, 27)).success,
      'must be the next_before of a previous page',
    )
    .optional(),
})

export type PairingOffer = z.infer<typeof PairingOffer>
export const PairingOffer = z
  .strictObject({
    device: DashboardDevice,
    pairing_code: z.string().meta({ description: '`VD-XXXX-XXXX`. Shown only once.' }),
    /** The content of the QR code: the till's address with the pairing code in the fragment. */
    pairing_url: z.string(),
  })
  .meta({ id: 'PairingOffer' })
