import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { dcApiVector } from '../../test/dc-api-vectors.ts'
import { encryptionKeyWith } from '../../test/encryption-key.ts'
import { sealHpke } from '../../test/hpke.ts'
import { catchInputError } from '../input-error.ts'
import { makeEncryptionKey } from '../request/make-encryption-key.ts'
import { openHpke, type HpkeMessage } from './hpke.ts'

const { input, expected } = dcApiVector('rfc9180-a3-base')
const bytes = (name: string) => Buffer.from(input[name] ?? '', 'hex')
const recipient = encryptionKeyWith(input.skRm ?? '')
const message: HpkeMessage = {
  enc: bytes('enc'),
  ciphertext: bytes('ct'),
  info: bytes('info'),
  aad: bytes('aad'),
}

test('opens the message of RFC 9180 A.3.1', () => {
  expect(openHpke(message, recipient).toString('hex')).toBe(expected.pt)
})

test('the sender of these tests produces the message of RFC 9180 A.3.1', () => {
  const sealed = sealHpke(Buffer.from(expected.pt ?? '', 'hex'), recipient, {
    info: message.info,
    aad: bytes('aad'),
    ephemeral_key: bytes('skEm'),
  })
  expect(sealed).toEqual({ enc: message.enc, ciphertext: message.ciphertext })
})

test('opens what a sender seals, of any length (N = 200)', () => {
  for (let length = 0; length < 200; length += 1) {
    const key = makeEncryptionKey(randomBytes(48))
    const info = randomBytes(40)
    const plaintext = randomBytes(length)
    expect(openHpke({ ...sealHpke(plaintext, key, { info }), info }, key)).toEqual(plaintext)
  }
})

describe('a message is refused', () => {
  const open = (change: Partial<HpkeMessage>, key = recipient) =>
    catchInputError(() => openHpke({ ...message, ...change }, key))
  const { enc, ciphertext, info } = message

  test('with any bit of it changed', () => {
    for (const name of ['enc', 'ciphertext', 'info', 'aad'] as const) {
      const original = Buffer.from(message[name] ?? [])
      for (let bit = 0; bit < 8 * original.length; bit += 1) {
        const changed = Buffer.from(original)
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        expect(open({ [name]: changed })).toHaveProperty('error')
      }
    }
  })

  test('for another key', () => {
    expect(open({}, makeEncryptionKey(randomBytes(48)))).toEqual({
      error: expect.stringContaining('cannot be decrypted'),
    })
  })

  test.each([
    ['an empty encapsulated key', { enc: Buffer.alloc(0) }, 'uncompressed point'],
    ['a compressed point', { enc: Buffer.concat([Buffer.of(2), enc.subarray(1, 33)]) }, 'uncompressed point'],
    ['a point with another prefix', { enc: Buffer.concat([Buffer.of(6), enc.subarray(1)]) }, 'uncompressed'],
    [
      'a point that is not on the curve',
      { enc: Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]) },
      'curve',
    ],
    ['the point at infinity', { enc: Buffer.alloc(65) }, 'uncompressed point'],
    ['no ciphertext', { ciphertext: Buffer.alloc(0) }, 'too short'],
    ['less than a tag', { ciphertext: ciphertext.subarray(0, 15) }, 'too short'],
    ['a truncated ciphertext', { ciphertext: ciphertext.subarray(1) }, 'cannot be decrypted'],
    ['no info', { info: Buffer.alloc(0) }, 'cannot be decrypted'],
    ['a longer info', { info: Buffer.concat([info, Buffer.alloc(1)]) }, 'cannot be decrypted'],
  ])('with %s', (_, change, error) => {
    expect(open(change)).toEqual({ error: expect.stringContaining(error) })
  })
})
