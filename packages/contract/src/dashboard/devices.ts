import { z } from 'zod'
import { Device } from '../devices.ts'

/** As the API shows it, and what only the dashboard tells. */
export type ListedDevice = z.infer<typeof ListedDevice>
export const ListedDevice = z
  .strictObject({
    ...Device.shape,
    /** Its code was not used in time. */
    lapsed: z.boolean(),
    /** Somebody presented a refresh token that was spent. */
    revoked_by_reuse: z.boolean(),
  })
  .meta({ id: 'ListedDevice' })

export type ListedDevices = z.infer<typeof ListedDevices>
export const ListedDevices = z.strictObject({ data: z.array(ListedDevice) }).meta({ id: 'ListedDevices' })

export type PairingOffer = z.infer<typeof PairingOffer>
export const PairingOffer = z
  .strictObject({
    device: ListedDevice,
    pairing_code: z.string().meta({ description: '`VD-XXXX-XXXX`, shown this once.' }),
    /** What the QR code says: the till's address with the code in its fragment. */
    pairing_url: z.string(),
  })
  .meta({ id: 'PairingOffer' })
