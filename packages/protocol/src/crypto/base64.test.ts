import { expect, test } from 'vitest'
import { decodeBase64, decodeBase64url } from './base64.ts'

test('[OID4VP-20] decodes base64url in its canonical form', () => {
  expect(decodeBase64url('-_8')).toEqual(Buffer.from([0xfb, 0xff]))
  expect(decodeBase64url('')).toEqual(Buffer.alloc(0))
})

test.each([
  ['padding', '-_8='],
  ['the base64 alphabet', '+/8'],
  ['white space', '-_ 8'],
  ['a line break at the end', '-_8\n'],
  ['stray bits at the end', '-_9'],
  ['an impossible length', 'A'],
  ['characters outside the alphabet', '-_8€'],
])('[OID4VP-20] refuses base64url with %s', (_, text) => {
  expect(decodeBase64url(text)).toBeUndefined()
})

test('[OID4VP-20] x5c is base64 with padding, not base64url', () => {
  expect(decodeBase64('+/8=')).toEqual(Buffer.from([0xfb, 0xff]))
  expect(decodeBase64('+/8')).toBeUndefined()
  expect(decodeBase64('-_8=')).toBeUndefined()
})
