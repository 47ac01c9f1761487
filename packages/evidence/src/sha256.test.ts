import { createHash, randomBytes, randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { toHex } from './bytes.ts'
import { sha256 } from './sha256.ts'

test.each([
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
  ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
])('the examples of FIPS 180-2, Appendix B', (message, hash) => {
  expect(toHex(sha256(message))).toBe(hash)
})

test('messages of every length up to 300 bytes and of several kilobytes have the same hash as in node:crypto', () => {
  const lengths = [
    ...Array.from({ length: 301 }, (_, length) => length),
    16_300,
    16_311,
    16_312,
    16_384,
    50_000,
  ]
  for (const length of lengths) {
    const message = randomBytes(length)
    expect(toHex(sha256(message))).toBe(createHash('sha256').update(message).digest('hex'))
  }
})

test('10,000 messages of several parts, text and bytes, have the same hash as in node:crypto', () => {
  const characters = ['a', '"', 'é', '漢', '🜁', '\0']
  for (let count = 0; count < 10_000; count += 1) {
    const parts = Array.from({ length: randomInt(1, 5) }, () =>
      randomInt(2) === 0
        ? randomBytes(randomInt(200))
        : Array.from({ length: randomInt(100) }, () => characters[randomInt(characters.length)]).join(''),
    )
    const platform = parts.reduce((hasher, part) => hasher.update(part), createHash('sha256'))
    expect(toHex(sha256(...parts))).toBe(platform.digest('hex'))
  }
})
