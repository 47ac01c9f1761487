import {
  createDecipheriv,
  createHash,
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
 * The keys of a Credo verifier, in memory and on `node:crypto`: P-256 for ES256 and ECDH-ES. Credo's own key management for
 * Node is not published for this version; with Askar, the key of every session would be stored in PostgreSQL too.
 */
export function createKeyManagement(): Kms.KeyManagementService {
  const keys = new Map<string, KeyObject>()
  const requireKey = (id: string): KeyObject => {
    const key = keys.get(id)
    if (key === undefined) throw new Error(`There is no key ${id}.`)
    return key
  }
  const keep = (key: KeyObject, keyId: string = randomUUID()) => {
    keys.set(keyId, key)
    return { keyId, publicJwk: { ...toPublicJwk(key), kid: keyId } }
  }
  // The interface is generic over every type of key; this supports one.
  return {
    backend: 'memory',
    isOperationSupported: () => true,
    getPublicKey: async (_, keyId) => {
      const key = keys.get(keyId)
      return key === undefined ? null : { ...toPublicJwk(key), kid: keyId }
    },
    createKey: async (_, { keyId }) =>
      keep(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, keyId),
    importKey: async () => {
      throw new Error('This verifier creates its keys.')
    },
    deleteKey: async (_, { keyId }) => keys.delete(keyId),
    sign: async (_, { keyId, data }) => ({
      signature: Uint8Array.from(sign('sha256', data, { key: requireKey(keyId), dsaEncoding: 'ieee-p1363' })),
    }),
    verify: async (_, { key, data, signature }) => {
      const publicKey = key.publicJwk
        ? importKey(key.publicJwk)
        : createPublicKey(requireKey(key.keyId ?? ''))
      return verify('sha256', data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)
        ? { verified: true, publicJwk: toPublicJwk(publicKey) }
        : { verified: false }
    },
    encrypt: async () => {
      throw new Error('A verifier does not encrypt.')
    },
    decrypt: async (_, { key: { keyAgreement }, decryption, encrypted }) => {
      const { algorithm } = decryption
      if (keyAgreement?.algorithm !== 'ECDH-ES') throw new Error('Only ECDH-ES is supported.')
      if (algorithm !== 'A128GCM' && algorithm !== 'A256GCM') throw new Error('Only AES-GCM is supported.')
      const secret = diffieHellman({
        privateKey: requireKey(keyAgreement.keyId),
        publicKey: importKey(keyAgreement.externalPublicJwk),
      })
      const contentKey = deriveKey(secret, algorithm, [keyAgreement.apu, keyAgreement.apv])
      const cipher = algorithm === 'A256GCM' ? 'aes-256-gcm' : 'aes-128-gcm'
      const decipher = createDecipheriv(cipher, contentKey, decryption.iv).setAuthTag(decryption.tag)
      if (decryption.aad !== undefined) decipher.setAAD(decryption.aad)
      return { data: Uint8Array.from(Buffer.concat([decipher.update(encrypted), decipher.final()])) }
    },
    randomBytes: (_, { length }) => Uint8Array.from(randomBytes(length)),
  } as Kms.KeyManagementService
}

function importKey(jwk: object): KeyObject {
  return createPublicKey({ key: { ...jwk }, format: 'jwk' })
}

function toPublicJwk(key: KeyObject) {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return { kty: 'EC' as const, crv: 'P-256' as const, x, y }
}

/** Concat KDF for a key of at most 256 bits, which takes one round (RFC 7518 §4.6.2). */
function deriveKey(
  secret: Buffer,
  algorithm: 'A128GCM' | 'A256GCM',
  parties: (Uint8Array | undefined)[],
): Buffer {
  const bits = algorithm === 'A256GCM' ? 256 : 128
  const hash = createHash('sha256').update(uint32(1)).update(secret)
  for (const part of [Buffer.from(algorithm), ...parties.map((party) => party ?? new Uint8Array())])
    hash.update(uint32(part.length)).update(part)
  return hash
    .update(uint32(bits))
    .digest()
    .subarray(0, bits / 8)
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
