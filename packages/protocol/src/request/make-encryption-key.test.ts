import { createPublicKey, diffieHellman, generateKeyPairSync, randomBytes } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import { expect, test } from 'vitest'
import { makeEncryptionKey } from './make-encryption-key.ts'

test('line 7: the same secret bytes give the same key, others another', () => {
  const material = randomBytes(48)
  expect(makeEncryptionKey(material).jwk).toEqual(makeEncryptionKey(material).jwk)
  expect(makeEncryptionKey(randomBytes(48)).jwk.x).not.toBe(makeEncryptionKey(material).jwk.x)
})

test('line 7: the key is named by its thumbprint', async () => {
  const { jwk, thumbprint } = makeEncryptionKey(randomBytes(48))
  expect(thumbprint).toBe(await calculateJwkThumbprint(jwk))
  expect(jwk.kid).toBe(thumbprint)
})

test('line 7: whoever has the public half agrees with the private one, for secrets at both ends too', () => {
  for (const material of [new Uint8Array(48), new Uint8Array(48).fill(0xff), randomBytes(48)]) {
    const { deriveSharedSecret: agree, jwk } = makeEncryptionKey(material)
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })

    const theirs = diffieHellman({ privateKey, publicKey: createPublicKey({ key: jwk, format: 'jwk' }) })
    expect(agree(Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url'))).toEqual(theirs)
  }
})

test('a point that is not on the curve is refused', () => {
  const { deriveSharedSecret: agree, jwk } = makeEncryptionKey(randomBytes(48))
  const [x, y] = [Buffer.from(jwk.x, 'base64url'), Buffer.from(jwk.y, 'base64url')]
  expect(agree(x, y)).toHaveLength(32)
  expect(() => agree(y, x)).toThrow('not a point on the curve')
  expect(() => agree(Buffer.alloc(32), Buffer.alloc(32))).toThrow('not a point on the curve')
  expect(() => agree(Buffer.alloc(32, 0xff), y)).toThrow('not a point on the curve')
})

test('too few or too many secret bytes are a mistake of ours', () => {
  expect(() => makeEncryptionKey(randomBytes(32))).toThrow('48 bytes')
})
