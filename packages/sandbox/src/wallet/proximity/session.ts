import { createHash, createHmac, diffieHellman, hkdfSync, randomBytes } from 'node:crypto'
import { embedCbor, encodeCbor, type Cbor } from '../../cbor/encode.ts'
import { base64url } from '../../keys/sign-jws.ts'
import { generateSigningKey, toCoseKey, type Algorithm, type SigningKey } from '../../keys/signing-key.ts'

/** A session of a reader with a device nearby (ISO/IEC 18013-5 §9.1.5.1), as both of them know it. */
export type ProximitySession = {
  /** What the device shows in a QR code or hands over by NFC: its own ephemeral key, and how to reach it. */
  readonly device_engagement: Uint8Array
  /** The reader's ephemeral key. The device knows the public part. */
  readonly reader_key: SigningKey
  /** The messages of the NFC handover; null after a QR code. */
  readonly handover: { readonly select: Uint8Array; readonly request: Uint8Array | null } | null
}

type SessionOptions = { by?: 'qr' | 'nfc' | 'nfc_negotiated'; algorithm?: Algorithm }

/** A device engages, and a reader makes its key. No radio is involved: both sides are in this process. */
export function openProximitySession({ by = 'qr', algorithm }: SessionOptions = {}): ProximitySession {
  const deviceKey = embedCbor(encodeCbor(toCoseKey(generateSigningKey())))
  const engagement = new Map<Cbor, Cbor>([
    [0, '1.0'],
    [1, [1, deviceKey]],
    // BLE, as a peripheral with a service of its own.
    [2, [[2, 1, new Map<Cbor, Cbor>([[0, false], [1, true], [11, randomBytes(16)]])]]], // prettier-ignore
  ])
  return {
    device_engagement: encodeCbor(engagement),
    reader_key: generateSigningKey(algorithm),
    handover:
      by === 'qr'
        ? null
        : { select: randomBytes(40), request: by === 'nfc_negotiated' ? randomBytes(30) : null },
  }
}

/** The session as a reader reports it to its service. */
export function describeSession({ device_engagement, reader_key, handover }: ProximitySession) {
  return {
    device_engagement: base64url(device_engagement),
    reader_key: base64url(encodeCbor(toCoseKey(reader_key))),
    ...(handover !== null && {
      handover: {
        select: base64url(handover.select),
        ...(handover.request !== null && { request: base64url(handover.request) }),
      },
    }),
  }
}

/** The private part of the reader's key, which its service needs to verify a MAC. */
export function exportReaderKey({ reader_key }: ProximitySession): string {
  return reader_key.private_key.export({ format: 'jwk' }).d ?? ''
}

/** SessionTranscript = [DeviceEngagementBytes, EReaderKeyBytes, Handover]. */
export function proximityTranscript({ device_engagement, reader_key, handover }: ProximitySession): Cbor[] {
  return [
    embedCbor(device_engagement),
    embedCbor(encodeCbor(toCoseKey(reader_key))),
    handover === null ? null : [handover.select, handover.request],
  ]
}

/** DeviceMac (§9.1.3.5): a COSE_Mac0 under a key that only the device and the reader can derive. */
export function macForReader(
  session: ProximitySession,
  { key, payload }: { key: SigningKey; payload: Uint8Array },
): Cbor[] {
  const shared = diffieHellman({ privateKey: key.private_key, publicKey: session.reader_key.public_key })
  const transcript = encodeCbor(embedCbor(encodeCbor(proximityTranscript(session))))
  const salt = createHash('sha256').update(transcript).digest()
  const macKey = Buffer.from(hkdfSync('sha256', shared, salt, 'EMacKey', 32))
  const protectedHeader = encodeCbor(new Map([[1, 5]]))
  const input = encodeCbor(['MAC0', protectedHeader, new Uint8Array(0), payload])
  return [protectedHeader, new Map(), null, createHmac('sha256', macKey).update(input).digest()]
}
