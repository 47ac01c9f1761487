import { createPublicKey, diffieHellman, generateKeyPairSync, randomBytes } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import { expect, test } from 'vitest'
import { makeEncryptionKey } from './make-encryption-key.ts'

test('[OID4VP-7] the same secret bytes give the same key, other bytes another key', () => {
  const material = randomBytes(48)
  expect(makeEncryptionKey(material).jwk).toEqual(makeEncryptionKey(material).jwk)
  expect(makeEncryptionKey(randomBytes(48)).jwk.x).not.toBe(makeEncryptionKey(material).jwk.x)
})

test('[OID4VP-7] the kid is the thumbprint of the key', async () => {
  const { jwk, thumbprint } = makeEncryptionKey(randomBytes(48))
  expect(thumbprint).toBe(await calculateJwkThumbprint(jwk))
  expect(jwk.kid).toBe(thumbprint)
})

test('[OID4VP-7] the shared secret agrees with node:crypto, also for the extreme values', () => {
  for (const material of [new Uint8Array(48), new Uint8Array(48).fill(0xff), randomBytes(48)]) {
    const { deriveSharedSecret, jwk } = makeEncryptionKey(material)
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })

    const theirs = diffieHellman({ privateKey, publicKey: createPublicKey({ key: jwk, format: 'jwk' }) })
    expect(deriveSharedSecret(Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url'))).toEqual(theirs)
  }
})

test('a point that is not on the curve is refused', () => {
  const { deriveSharedSecret, jwk } = makeEncryptionKey(randomBytes(48))
  const [x, y] = [Buffer.from(jwk.x, 'base64url'), Buffer.from(jwk.y, 'base64url')]
  expect(deriveSharedSecret(x, y)).toHaveLength(32)
  expect(() => deriveSharedSecret(y, x)).toThrow('not a point on the curve')
  expect(() => deriveSharedSecret(Buffer.alloc(32), Buffer.alloc(32))).toThrow('not a point on the curve')
  expect(() => deriveSharedSecret(Buffer.alloc(32, 0xff), y)).toThrow('not a point on the curve')
})

test('throws for the wrong number of secret bytes', () => {
  expect(() => makeEncryptionKey(randomBytes(32))).toThrow('48 bytes')
})
