import { expect, test } from 'vitest'
import { decodeBase64, decodeBase64url } from './base64.ts'

test('line 20: base64url is read in the one form that encodes its bytes', () => {
  expect(decodeBase64url('-_8')).toEqual(Buffer.from([0xfb, 0xff]))
  expect(decodeBase64url('')).toEqual(Buffer.alloc(0))
})

test.each([
  ['padding', '-_8='],
  ['the alphabet of base64', '+/8'],
  ['white space', '-_ 8'],
  ['a line break at the end', '-_8\n'],
  ['bits that belong to no byte', '-_9'],
  ['a length that no bytes have', 'A'],
  ['characters of no alphabet', '-_8€'],
])('line 20: base64url with %s is refused', (_, text) => {
  expect(decodeBase64url(text)).toBeUndefined()
})

test('line 20: x5c is base64 with padding, and not base64url', () => {
  expect(decodeBase64('+/8=')).toEqual(Buffer.from([0xfb, 0xff]))
  expect(decodeBase64('+/8')).toBeUndefined()
  expect(decodeBase64('-_8=')).toBeUndefined()
})
