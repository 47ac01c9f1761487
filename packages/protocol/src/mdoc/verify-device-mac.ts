import { createECDH, createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { CborMap } from '../cbor/read.ts'
import { wrapInTag24, writeCbor } from '../cbor/write.ts'
import type { CoseSign1 } from '../cose/sign1.ts'
import type { PublicKey } from '../crypto/verify-signature.ts'
import type { ReaderKey } from '../proximity/read-session.ts'

type DeviceMac = {
  /** A COSE_Mac0 has the shape of a COSE_Sign1. */
  mac: CoseSign1
  /** DeviceAuthenticationBytes. */
  payload: Uint8Array
  transcript: Uint8Array
  device_key: CborMap
  curve: PublicKey['curve']
  reader_key: ReaderKey
}

const algLabel = 1
const hmac256 = 5
const key_bytes = 32
/** Precedes an uncompressed point (SEC 1 §2.3.3). */
const uncompressedPrefix = Buffer.of(4)

/** Whether a device that holds its key made the MAC for this session with this reader (ISO/IEC 18013-5 §9.1.3.5). */
export function isDeviceMac({ mac, payload, transcript, device_key, curve, reader_key }: DeviceMac): boolean {
  if (mac.protected_header.get(algLabel) !== hmac256 || curve !== reader_key.curve) return false
  const [x, y] = [device_key.get(-2), device_key.get(-3)]
  if (!(x instanceof Uint8Array) || !(y instanceof Uint8Array)) return false
  const ecdh = createECDH(reader_key.curve)
  ecdh.setPrivateKey(reader_key.private_key)
  const shared = ecdh.computeSecret(Buffer.concat([uncompressedPrefix, x, y]))
  const salt = hash('sha256', wrapInTag24(transcript), 'buffer')
  const key = Buffer.from(hkdfSync('sha256', shared, salt, 'EMacKey', key_bytes))
  // MAC_structure (RFC 9052 §6.3).
  const input = writeCbor(['MAC0', mac.protected_bytes, new Uint8Array(), payload])
  const expected = createHmac('sha256', key).update(input).digest()
  return mac.signature.length === expected.length && timingSafeEqual(mac.signature, expected)
}
