import { createPublicKey, randomBytes } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import { expect, test } from 'vitest'
import { makeEncryptionKey } from './make-encryption-key.ts'

test('line 7: the same secret bytes give the same key, others another', () => {
  const material = randomBytes(48)
  expect(makeEncryptionKey(material).jwk).toEqual(makeEncryptionKey(material).jwk)
  expect(makeEncryptionKey(randomBytes(48)).jwk.x).not.toBe(makeEncryptionKey(material).jwk.x)
})

test('line 7: the public half belongs to the private one, and is named by its thumbprint', async () => {
  const { private_key, jwk, thumbprint } = makeEncryptionKey(randomBytes(48))
  expect(createPublicKey(private_key).export({ format: 'jwk' })).toMatchObject({ x: jwk.x, y: jwk.y })
  expect(thumbprint).toBe(await calculateJwkThumbprint(jwk))
  expect(jwk.kid).toBe(thumbprint)
})

test('line 7: every secret gives a key of the group, at both ends too', () => {
  for (const byte of [0x00, 0xff]) {
    const { jwk, private_key } = makeEncryptionKey(new Uint8Array(48).fill(byte))
    expect(Buffer.from(jwk.x, 'base64url')).toHaveLength(32)
    expect(private_key.asymmetricKeyDetails?.namedCurve).toBe('prime256v1')
  }
})

test('too few or too many secret bytes are a mistake of ours', () => {
  expect(() => makeEncryptionKey(randomBytes(32))).toThrow('48 bytes')
})
