import { generateKeyPairSync, randomBytes, randomInt } from 'node:crypto'
import { type GeneralJWE, type JWK, calculateJwkThumbprint, generalDecrypt, importJWK } from 'jose'
import { expect, test } from 'vitest'
import { openText } from '../../../../../packages/sdk/src/sealing/open-text.ts'
import type { SealingPrivateJwk } from '../../../../../packages/sdk/src/sealing/private-key.ts'
import { type PublicKeyJwk, computeThumbprint, encryptToRecipients, importRecipient } from './jwe.ts'

const rounds = 60
const maxRecipients = 8

function newKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = publicKey.export({ format: 'jwk' }) as PublicKeyJwk // an EC key
  const privateJwk = privateKey.export({ format: 'jwk' }) as SealingPrivateJwk
  const kid = computeThumbprint(jwk)
  const recipient = importRecipient(kid, jwk)
  if (recipient === undefined) throw new Error('a key that was just made is refused')
  return { kid, jwk, privateJwk, recipient }
}

test(`[SEAL-5] what is sealed to one to ${maxRecipients} keys is opened with each of them, by jose and by the SDK`, async () => {
  const keys = Array.from({ length: maxRecipients }, newKey)
  for (const { kid, jwk } of keys) expect(kid).toBe(await calculateJwkThumbprint(jwk))

  for (let round = 0; round < rounds; round += 1) {
    const chosen = keys.slice(0, 1 + (round % maxRecipients))
    // Lengths around blocks and steps, and letters of one to four bytes.
    const text = 'aÜ漢😀'.repeat(randomInt(0, 600)) + randomBytes(randomInt(0, 40)).toString('base64')
    const recipients = chosen.map(({ recipient }) => recipient)
    const sealed = encryptToRecipients(text, recipients)

    expect(sealed.recipients.map(({ header }) => header['kid'])).toEqual(chosen.map(({ kid }) => kid))
    for (const [index, { privateJwk }] of chosen.entries()) {
      const key = await importJWK(privateJwk as JWK, 'ECDH-ES+A256KW')
      // A recipient alone, so that no other one opens it instead.
      const { [index]: own } = sealed.recipients
      const { plaintext } = await generalDecrypt({ ...sealed, recipients: [own] } as GeneralJWE, key)
      expect(new TextDecoder().decode(plaintext)).toBe(text)
      expect(await openText(sealed, privateJwk)).toBe(text)
    }
  }
})

test('[SEAL-5] nothing is used twice, one changed bit is refused, and another key opens nothing', async () => {
  const [own, other] = [newKey(), newKey()]
  const sealed = encryptToRecipients('text', [own.recipient])
  const again = encryptToRecipients('text', [own.recipient])
  const parts = ({ iv, tag, ciphertext, recipients: [recipient] }: typeof sealed) =>
    [iv, tag, ciphertext, recipient?.encrypted_key, JSON.stringify(recipient?.header['epk'])] as const
  for (const [index, part] of parts(sealed).entries()) expect(part).not.toBe(parts(again)[index])

  const key = await importJWK(own.privateJwk as JWK, 'ECDH-ES+A256KW')
  for (const member of ['iv', 'tag', 'ciphertext'] as const) {
    const changed = { ...sealed, [member]: flip(sealed[member]) }
    await expect(generalDecrypt(changed, key)).rejects.toMatchObject({ code: 'ERR_JWE_DECRYPTION_FAILED' })
  }
  const foreign = await importJWK(other.privateJwk as JWK, 'ECDH-ES+A256KW')
  await expect(generalDecrypt(sealed, foreign)).rejects.toMatchObject({ code: 'ERR_JWE_DECRYPTION_FAILED' })
  expect(() => encryptToRecipients('text', [])).toThrow('no recipient')
})

test.each([
  ['another point', (jwk: PublicKeyJwk) => ({ ...jwk, x: jwk.y })],
  ['an empty coordinate', (jwk: PublicKeyJwk) => ({ ...jwk, y: '' })],
  ['a short coordinate', (jwk: PublicKeyJwk) => ({ ...jwk, x: 'AA' })],
  ['a long coordinate', (jwk: PublicKeyJwk) => ({ ...jwk, x: `${jwk.x}AAAA` })],
  ['the point at infinity', (jwk: PublicKeyJwk) => ({ ...jwk, x: 'A'.repeat(43), y: 'A'.repeat(43) })],
])('a key with %s is refused', (_, change) => {
  expect(importRecipient('kid', change(newKey().jwk))).toBeUndefined()
})

function flip(text: string): string {
  const bytes = Buffer.from(text, 'base64url')
  bytes.writeUInt8(bytes.readUInt8(0) ^ 1)
  return bytes.toString('base64url')
}
