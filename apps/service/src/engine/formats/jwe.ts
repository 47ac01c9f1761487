import {
  type KeyObject,
  createCipheriv,
  createPublicKey,
  createSecretKey,
  diffieHellman,
  generateKeyPairSync,
  hash,
  randomBytes,
} from 'node:crypto'

/** A public key on P-256. */
export type PublicKeyJwk = { kty: 'EC'; crv: 'P-256'; x: string; y: string }

/** A JWE in the general JSON serialisation. */
export type GeneralJwe = {
  protected: string
  recipients: { header: Record<string, unknown>; encrypted_key: string }[]
  iv: string
  ciphertext: string
  tag: string
}

/** A key that was imported once, to encrypt to it many times. */
export type JweRecipient = { kid: string; key: KeyObject }

const curve = { namedCurve: 'P-256' }
const alg = 'ECDH-ES+A256KW'
const key_bytes = 32
const iv_bytes = 12
const protectedHeader = Buffer.from('{"enc":"A256GCM"}').toString('base64url')
const additionalData = Buffer.from(protectedHeader)
/** RFC 3394 §2.2.3.1. */
const keyWrapIv = Buffer.alloc(8, 0xa6)
/** What the Concat KDF hashes before and after the shared secret: algorithm, no party, and the length of the key in bits (RFC 7518 §4.6.2). */
const round = bigEndian(1)
const otherInfo = Buffer.concat([
  bigEndian(alg.length),
  Buffer.from(alg),
  bigEndian(0),
  bigEndian(0),
  bigEndian(key_bytes * 8),
])

/** The thumbprint of a key (RFC 7638), which is its id: the hash of the required members in this order. */
export function computeThumbprint({ crv, kty, x, y }: PublicKeyJwk): string {
  return hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url')
}

/** Undefined if the coordinates are not a point of the curve. */
export function importRecipient(kid: string, { kty, crv, x, y }: PublicKeyJwk): JweRecipient | undefined {
  try {
    return { kid, key: createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' }) }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_CRYPTO_INVALID_JWK') return undefined
    throw error
  }
}

/**
 * Encrypts a text so that the private key of any recipient opens it: JWE in the general JSON serialisation (RFC 7516 §7.2.1), one content
 * key for all, wrapped for each (RFC 7518 §4.6). Synchronous: `jose` awaits a WebCrypto job for each step.
 */
export function encryptToRecipients(text: string, recipients: readonly JweRecipient[]): GeneralJwe {
  if (recipients.length === 0) throw new Error('there is no recipient')
  const contentKey = randomBytes(key_bytes)
  const iv = randomBytes(iv_bytes)
  const cipher = createCipheriv('aes-256-gcm', createSecretKey(contentKey), iv).setAAD(additionalData)
  const ciphertext = cipher.update(text, 'utf8', 'base64url') + cipher.final('base64url')
  return {
    protected: protectedHeader,
    recipients: recipients.map((recipient) => wrapKey(contentKey, recipient)),
    iv: iv.toString('base64url'),
    ciphertext,
    tag: cipher.getAuthTag().toString('base64url'),
  }
}

function wrapKey(
  contentKey: Buffer,
  { kid, key: publicKey }: JweRecipient,
): GeneralJwe['recipients'][number] {
  const ephemeral = generateKeyPairSync('ec', curve)
  const secret = diffieHellman({ privateKey: ephemeral.privateKey, publicKey })
  const wrappingKey = hash('sha256', Buffer.concat([round, secret, otherInfo]), 'buffer')
  const cipher = createCipheriv('id-aes256-wrap', createSecretKey(wrappingKey), keyWrapIv)
  const wrapped = Buffer.concat([cipher.update(contentKey), cipher.final()])
  return {
    header: { alg, kid, epk: ephemeral.publicKey.export({ format: 'jwk' }) },
    encrypted_key: wrapped.toString('base64url'),
  }
}

function bigEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
