import { hash } from 'node:crypto'
import { expectBase64url } from '../crypto/base64.ts'
import type { ContentEncryption } from '../crypto/content-encryptions.ts'
import { InputError } from '../input-error.ts'
import { isObject } from '../json.ts'
import type { EncryptionKey } from '../request/make-encryption-key.ts'

const coordinate_bytes = 32

/** Derives the content key from the wallet's ephemeral key (ECDH-ES, RFC 7518 §4.6). Throws an InputError. */
export function deriveContentKey(
  { epk, enc, apu = '', apv = '' }: Record<string, unknown>,
  key: EncryptionKey,
  { key_bytes }: ContentEncryption,
): Buffer {
  return concatKdf(key.deriveSharedSecret(...readEphemeralKey(epk)), {
    algorithm: Buffer.from(String(enc)),
    party_u: decodeMember(apu, 'apu'),
    party_v: decodeMember(apv, 'apv'),
    key_bytes,
  })
}

/** Reads a point on P-256. Other members are ignored. */
function readEphemeralKey(epk: unknown): [x: Buffer, y: Buffer] {
  if (!isObject(epk) || epk['kty'] !== 'EC' || epk['crv'] !== 'P-256') {
    throw new InputError('the ephemeral key of the response (epk) is not on P-256')
  }
  const [x, y] = [decodeMember(epk['x'], 'x'), decodeMember(epk['y'], 'y')]
  if (x.length !== coordinate_bytes || y.length !== coordinate_bytes) {
    throw new InputError('the ephemeral key of the response (epk) has a coordinate of the wrong length')
  }
  return [x, y]
}

function decodeMember(value: unknown, name: string): Buffer {
  if (typeof value !== 'string') throw new InputError(`${name} in the header of the response is not text`)
  return expectBase64url(value)
}

export type OtherInfo = { algorithm: Buffer; party_u: Buffer; party_v: Buffer; key_bytes: number }

/** The Concat KDF with SHA-256 (RFC 7518 §4.6.2). One round is enough for every supported key length. */
export function concatKdf(secret: Buffer, { algorithm, party_u, party_v, key_bytes }: OtherInfo): Buffer {
  const roundNumber = encodeUint32(1)
  const bits = encodeUint32(8 * key_bytes)
  const parts = [algorithm, party_u, party_v].flatMap((part) => [encodeUint32(part.length), part])
  return hash('sha256', Buffer.concat([roundNumber, secret, ...parts, bits]), 'buffer').subarray(0, key_bytes)
}

/** Four bytes, big-endian. */
function encodeUint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
