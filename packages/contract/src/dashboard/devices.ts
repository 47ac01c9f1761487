import { z } from 'zod'
import { Device } from '../devices.ts'
import { TimestampInput, queryInteger } from '../values.ts'

/** As the API shows it, and what only the dashboard tells. */
export type DashboardDevice = z.infer<typeof DashboardDevice>
export const DashboardDevice = z
  .strictObject({
    ...Device.shape,
    /** Its code was not used in time. */
    lapsed: z.boolean(),
    /** Somebody presented a refresh token that was spent. */
    revoked_by_reuse: z.boolean(),
  })
  .meta({ id: 'ListedDevice' })

export type DevicePage = z.infer<typeof DevicePage>
export const DevicePage = z
  .strictObject({
    data: z.array(DashboardDevice),
    /** Where the next page begins. Absent: there is none. */
    next_before: z.string().optional(),
  })
  .meta({ id: 'ListedDevices' })

export type ListDevices = z.infer<typeof ListDevices>
export const ListDevices = z.strictObject({
  limit: queryInteger({ min: 1, max: 100, defaultValue: 50 }),
  before: z
    .string()
    .regex(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z_[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/,
      'must be next_before of a page',
    )
    .refine((value) => TimestampInput.safeParse(value.slice(0, 27)).success, 'must be next_before of a page')
    .optional(),
})

export type PairingOffer = z.infer<typeof PairingOffer>
export const PairingOffer = z
  .strictObject({
    device: DashboardDevice,
    pairing_code: z.string().meta({ description: '`VD-XXXX-XXXX`, shown this once.' }),
    /** What the QR code says: the till's address with the code in its fragment. */
    pairing_url: z.string(),
  })
  .meta({ id: 'PairingOffer' })
