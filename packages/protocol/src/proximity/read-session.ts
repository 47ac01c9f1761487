import { createECDH } from 'node:crypto'
import { expectMap } from '../cbor/expect.ts'
import { readCbor, type CborMap } from '../cbor/read.ts'
import { wrapInTag24, writeCbor, type CborParts } from '../cbor/write.ts'
import { expectBase64url } from '../crypto/base64.ts'
import { readCoseKey } from '../crypto/read-public-key.ts'
import { catchInputError, InputError, type ReadResult } from '../input-error.ts'

/** A session of a reader with a wallet nearby: what the one showed and the other made, each in base64url. */
export type ReaderSession = {
  /** DeviceEngagement: what follows `mdoc:` in the QR code, or what the NFC handover carries. */
  device_engagement: string
  /** EReaderKey.Pub, a COSE_Key. */
  reader_key: string
  /** The messages of the NFC handover. Absent after a QR code. */
  handover?: { select: string; request?: string | undefined } | undefined
  /** The private part of `reader_key`, which only a MAC of the device needs. */
  reader_private_key?: string | undefined
}

/** The ephemeral key of a reader, with which a device agreed on a MAC key. */
export type ReaderKey = { curve: string; private_key: Uint8Array }

type ReadSession = { transcript: Buffer; reader_key?: ReaderKey }

/** The session transcript of ISO/IEC 18013-5 §9.1.5.1, from its parts. Never throws on its input. */
export function readReaderSession(session: ReaderSession): ReadResult<ReadSession> {
  return catchInputError(() => {
    const engagement = decode(session.device_engagement, 'device_engagement')
    const version = readMap(engagement, 'device_engagement').get(versionLabel)
    if (typeof version !== 'string' || !/^1\.\d$/.test(version))
      throw new InputError('device_engagement is not a DeviceEngagement of version 1')
    const encodedKey = decode(session.reader_key, 'reader_key')
    const key = readMap(encodedKey, 'reader_key')
    const { curve } = readCoseKey(key)
    const transcript = writeCbor([
      { encoded: wrapInTag24(engagement) },
      { encoded: wrapInTag24(encodedKey) },
      readHandover(session),
    ])
    const { reader_private_key: secret } = session
    if (secret === undefined) return { transcript }
    const private_key = decode(secret, 'reader_private_key')
    requirePair(key, curve, private_key)
    return { transcript, reader_key: { curve: String(curve), private_key } }
  })
}

const versionLabel = 0

/** §9.1.5.1: null for a QR code, the two messages for NFC. */
function readHandover({ handover }: ReaderSession): CborParts {
  if (handover === undefined) return null
  const { select, request } = handover
  return [
    decode(select, 'handover.select'),
    request === undefined ? null : decode(request, 'handover.request'),
  ]
}

function decode(text: string, name: string): Buffer {
  const bytes = catchInputError(() => expectBase64url(text))
  if ('error' in bytes) throw new InputError(`${name} is not base64url without padding`)
  return bytes.value
}

function readMap(bytes: Uint8Array, name: string): CborMap {
  return expectMap(readCbor(bytes), name)
}

/** A private key of another pair would verify nothing, so that the reader is told. */
function requirePair(key: CborMap, curve: string | undefined, private_key: Uint8Array): void {
  const mismatch = new InputError('reader_private_key does not belong to reader_key')
  let point: Buffer
  try {
    const ecdh = createECDH(curve ?? '')
    ecdh.setPrivateKey(private_key)
    point = ecdh.getPublicKey()
  } catch {
    // OpenSSL throws if the curve has no key agreement, or the scalar is out of range.
    throw mismatch
  }
  if (!point.subarray(1).equals(Buffer.concat([toBytes(key, -2), toBytes(key, -3)]))) throw mismatch
}

function toBytes(key: CborMap, label: number): Uint8Array {
  const value = key.get(label)
  return value instanceof Uint8Array ? value : new Uint8Array()
}
