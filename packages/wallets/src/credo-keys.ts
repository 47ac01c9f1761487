import {
  createCipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  randomBytes,
  randomUUID,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto'
import type { Kms } from '@credo-ts/core'

/**
 * An in-memory key store for a Credo agent: P-256, ES256, and ECDH-ES with AES-GCM only. Credo expects the integrator to provide a key
 * store, and its own for Node is not published for this version.
 */
export function createMemoryKeyStore(): Kms.KeyManagementService {
  const keys = new Map<string, KeyObject>()
  const requireKey = (id: string): KeyObject => {
    const key = keys.get(id)
    if (key === undefined) throw new Error(`There is no key ${id}.`)
    return key
  }
  const storeKey = (key: KeyObject, keyId: string = randomUUID()) => {
    keys.set(keyId, key)
    return { keyId, publicJwk: { ...toPublicJwk(key), kid: keyId } }
  }
  // The interface is generic over every JOSE key type; this key store supports one.
  return {
    backend: 'memory',
    isOperationSupported: () => true,
    getPublicKey: async (_, keyId) => {
      const key = keys.get(keyId)
      return key === undefined ? null : { ...toPublicJwk(key), kid: keyId }
    },
    createKey: async (_, { keyId }) =>
      storeKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, keyId),
    importKey: async (_, { privateJwk }) =>
      storeKey(createPrivateKey({ key: { ...privateJwk }, format: 'jwk' }), privateJwk.kid),
    deleteKey: async (_, { keyId }) => keys.delete(keyId),
    sign: async (_, { keyId, data }) => ({
      signature: Uint8Array.from(sign('sha256', data, { key: requireKey(keyId), dsaEncoding: 'ieee-p1363' })),
    }),
    verify: async (_, { key, data, signature }) => {
      const publicKey = key.publicJwk
        ? importPublicKey(key.publicJwk)
        : createPublicKey(requireKey(key.keyId ?? ''))
      return verify('sha256', data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)
        ? { verified: true, publicJwk: toPublicJwk(publicKey) }
        : { verified: false }
    },
    encrypt: async (_, { key, encryption, data }) => {
      const agreement = key.keyAgreement
      if (agreement?.algorithm !== 'ECDH-ES') throw new Error('Only ECDH-ES is supported.')
      const other = importPublicKey(agreement.externalPublicJwk)
      const secret = diffieHellman({ privateKey: requireKey(agreement.keyId), publicKey: other })
      const contentKey = concatKdf(secret, encryption.algorithm, [agreement.apu, agreement.apv])
      return encryptGcm(contentKey, data, 'aad' in encryption ? encryption.aad : undefined)
    },
    decrypt: async () => {
      throw new Error('This key store does not decrypt.')
    },
    randomBytes: (_, { length }) => Uint8Array.from(randomBytes(length)),
  } as Kms.KeyManagementService
}

function importPublicKey(jwk: object): KeyObject {
  return createPublicKey({ key: { ...jwk }, format: 'jwk' })
}

function toPublicJwk(key: KeyObject) {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return { kty: 'EC' as const, crv: 'P-256' as const, x, y }
}

/** RFC 7518 §4.6.2, for a key of at most 256 bits. */
function concatKdf(secret: Uint8Array, enc: string, parties: (Uint8Array | undefined)[]): Uint8Array {
  const bits = enc === 'A256GCM' ? 256 : 128
  const framed = [Buffer.from(enc), ...parties.map((party) => party ?? new Uint8Array(0))].flatMap((part) => [
    uint32(part.length),
    part,
  ])
  const hash = createHash('sha256')
  for (const part of [uint32(1), secret, ...framed, uint32(bits)]) hash.update(part)
  return hash.digest().subarray(0, bits / 8)
}

function uint32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function encryptGcm(key: Uint8Array, data: Uint8Array, aad: Uint8Array = new Uint8Array(0)) {
  const iv = randomBytes(12)
  const cipher = createCipheriv(key.length === 32 ? 'aes-256-gcm' : 'aes-128-gcm', key, iv).setAAD(aad)
  const encrypted = Buffer.concat([cipher.update(data), cipher.final()])
  return { encrypted: Uint8Array.from(encrypted), iv, tag: Uint8Array.from(cipher.getAuthTag()) }
}
