import { SealedResultError } from '../errors.ts'
import type { SealedText } from '../types.ts'
import { curve, decode } from './encoding.ts'
import { type SealingPrivateKey, type UsableKey, importPrivateKey } from './private-key.ts'

const wrapping = 'ECDH-ES+A256KW'
const content = 'A256GCM'
const key_bits = 256

type Header = {
  alg?: unknown
  enc?: unknown
  kid?: unknown
  epk?: { x?: unknown; y?: unknown }
  apu?: unknown
  apv?: unknown
}

/** Opens a text that was encrypted to one of these keys (RFC 7516, RFC 7518 §4.6). Throws a SealedResultError. */
export async function openText(
  sealed: SealedText,
  keys: SealingPrivateKey | readonly SealingPrivateKey[],
): Promise<string> {
  const usable = await Promise.all([keys].flat().map(importPrivateKey))
  const recipients = readRecipients(sealed)
  for (const { header, encrypted_key } of recipients) {
    const key = usable.find(({ kid }) => kid === header.kid)
    if (key !== undefined) return decrypt(sealed, key, { header, encrypted_key })
  }
  const needed = recipients.map(({ header }) => String(header.kid)).join(', ')
  throw new SealedResultError(
    'no_key',
    `None of the given keys opens this. It was sealed to ${needed}; you gave ${usable.map(({ kid }) => kid).join(', ') || 'none'}.`,
  )
}

async function decrypt(
  sealed: SealedText,
  { privateKey }: UsableKey,
  { header, encrypted_key }: { header: Header; encrypted_key: string },
): Promise<string> {
  if (header.alg !== wrapping || header.enc !== content)
    throw new SealedResultError(
      'unsupported',
      `Sealed with ${String(header.alg)} and ${String(header.enc)}, which this version cannot open.`,
    )
  try {
    const { subtle } = crypto
    const { x, y } = header.epk ?? {}
    const epk = { kty: 'EC', crv: 'P-256', x: String(x), y: String(y) }
    const publicKey = await subtle.importKey('jwk', epk, curve, false, [])
    const secret = await subtle.deriveBits({ name: 'ECDH', public: publicKey }, privateKey, key_bits)
    const kek = await subtle.importKey('raw', await deriveKey(secret, header), 'AES-KW', false, ['unwrapKey'])
    const cek = await subtle.unwrapKey('raw', decode(encrypted_key), kek, 'AES-KW', 'AES-GCM', false, [
      'decrypt',
    ])
    const iv = decode(sealed.iv)
    const additionalData = encoder.encode(sealed.protected)
    const ciphertext = join([decode(sealed.ciphertext), decode(sealed.tag)])
    const plaintext = await subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, cek, ciphertext)
    return new TextDecoder().decode(plaintext)
  } catch (error) {
    // WebCrypto does not say which step failed, and must not.
    throw new SealedResultError(
      'damaged',
      'The key is named, but does not open this: the text was changed, or the private key is another one.',
      { cause: error },
    )
  }
}

const encoder = new TextEncoder()

/** The Concat KDF (RFC 7518 §4.6.2) for a key of the length of one hash. */
function deriveKey(secret: ArrayBuffer, { apu, apv }: Header): Promise<ArrayBuffer> {
  const party = (value: unknown) => withLength(typeof value === 'string' ? decode(value) : new Uint8Array())
  const info = [
    bigEndian(1),
    new Uint8Array(secret),
    withLength(encoder.encode(wrapping)),
    party(apu),
    party(apv),
    bigEndian(key_bits),
  ]
  return crypto.subtle.digest('SHA-256', join(info))
}

function withLength(bytes: Uint8Array): Uint8Array {
  return join([bigEndian(bytes.length), bytes])
}

function bigEndian(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const part of parts) {
    joined.set(part, offset)
    offset += part.length
  }
  return joined
}

/** The headers are objects, or none of their members is found. */
function readRecipients(sealed: SealedText): { header: Header; encrypted_key: string }[] {
  try {
    const shared = JSON.parse(new TextDecoder().decode(decode(sealed.protected))) as Header
    return sealed.recipients.map(({ header, encrypted_key }) => ({
      header: { ...shared, ...header },
      encrypted_key,
    }))
  } catch (error) {
    throw new SealedResultError('damaged', 'The headers cannot be read.', { cause: error })
  }
}
