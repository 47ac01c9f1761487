import { z } from 'zod'
import { describe } from './values.ts'

/** CBOR in base64url without padding. */
function encodedCbor(max: number) {
  return z
    .string()
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/, 'must be base64url without padding')
}

/** A message of the NFC handover can carry the whole engagement. */
export const maxEngagement_characters = 8192
/** Within the limit of a JSON body. */
export const maxDeviceResponse_characters = 240_000

const sessionMembers = {
  device_engagement: describe(
    encodedCbor(maxEngagement_characters),
    'DeviceEngagement in base64url: what follows `mdoc:` in the QR code of the wallet, or what the NFC handover carries.',
    'owBjMS4wAYIB2BhYS6QBAiABIVggWogtE',
  ),
  reader_key: describe(
    encodedCbor(512),
    'The public part of the ephemeral key of your reader, a COSE_Key in base64url. Make a new one for each session.',
    'pAECIAEhWCBg46TD0lP7Pd8ZS9ZCQ2bE',
  ),
  handover: z
    .strictObject({
      select: describe(
        encodedCbor(maxEngagement_characters),
        'The Handover Select message of the wallet.',
        'kQIt0QICQQ',
      ),
      request: describe(
        encodedCbor(maxEngagement_characters),
        'The Handover Request message of your reader, if the handover was negotiated.',
        'kQIlSHIVkQ',
      ).optional(),
    })
    .optional()
    .meta({
      description: 'The messages of the NFC handover, in base64url. Leave it out after a QR code.',
      examples: [{ select: 'kQIt0QICQQ' }],
    }),
}

/** A session of a reader with a wallet nearby (ISO/IEC 18013-5). */
export type RequestFromReader = z.infer<typeof RequestFromReader>
export const RequestFromReader = z
  .strictObject(sessionMembers)
  .meta({ id: 'RequestFromReader', examples: [{ device_engagement: 'owBjMS4w', reader_key: 'pAEC' }] })

export type ReaderRequest = z.infer<typeof ReaderRequest>
export const ReaderRequest = z
  .strictObject({
    device_request: describe(
      z.string(),
      'The DeviceRequest in base64url, with reader authentication if you have a certificate of your own. Send it over your session with the wallet.',
      'omd2ZXJzaW9uYzEuMGtkb2NSZXF1ZXN0c4GhbGl0ZW1zUmVxdWVzdA',
    ),
  })
  .meta({ id: 'ReaderRequest' })

export type PresentFromReader = z.infer<typeof PresentFromReader>
export const PresentFromReader = z
  .strictObject({
    ...sessionMembers,
    device_response: describe(
      encodedCbor(maxDeviceResponse_characters),
      'The DeviceResponse of the wallet in base64url, decrypted.',
      'o2d2ZXJzaW9uYzEuMGlkb2N1bWVudHOBo2dkb2NUeXBl',
    ),
    reader_private_key: describe(
      encodedCbor(128),
      'The private part of `reader_key` in base64url. Send it only if the device authenticated with a MAC.',
      '3vX0m9cW1yQ4zJwq7bq0v5r8uXo2kT6hYb1nLcD4eFg',
    ).optional(),
  })
  .meta({
    id: 'PresentFromReader',
    examples: [{ device_engagement: 'owBjMS4w', reader_key: 'pAEC', device_response: 'o2d2ZXJzaW9uYzEuMA' }],
  })
