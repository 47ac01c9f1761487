import { describe, expect, test } from 'vitest'
import { makeKey, type KeyKind, type KeyPair } from '../../test/certificates.ts'
import { coseKey, publicJwk } from '../../test/sign.ts'
import { encode } from '../../test/write-cbor.ts'
import { expectMap } from '../cbor/expect.ts'
import { readCbor, type CborMap } from '../cbor/read.ts'
import { readCoseKey, readJwk } from './read-public-key.ts'

const kinds: KeyKind[] = ['P-256', 'P-384', 'P-521', 'Ed25519']

test.each(kinds)('lines 22 and 26: a key on %s is the same as JWK and as COSE_Key', (kind) => {
  const pair = makeKey(kind)
  expect(readJwk(publicJwk(pair)).key.equals(pair.publicKey)).toBe(true)
  const device = readCoseKey(received(pair))
  expect(device.key.equals(pair.publicKey)).toBe(true)
  expect(device.curve).toBe(readJwk(publicJwk(pair)).curve)
})

describe('line 22: a JWK is refused', () => {
  const jwk = publicJwk(makeKey())

  test.each(['d', 'kid', 'alg', 'use', 'x5c', 'k'])('with the member %s', (member) => {
    expect(() => readJwk({ ...jwk, [member]: 'x' })).toThrow('beside kty, crv, x, y')
  })

  test('of another type or curve', () => {
    expect(() => readJwk({ ...jwk, kty: 'oct' })).toThrow('not accepted')
    expect(() => readJwk({ ...jwk, crv: 'secp256k1' })).toThrow('not accepted')
    expect(() => readJwk({ ...jwk, kty: 'OKP' })).toThrow('not accepted')
    expect(() => readJwk({})).toThrow('not accepted')
  })

  test('with a coordinate that is missing, short, padded or no text', () => {
    const { x: _, ...withoutX } = jwk
    const { y: __, ...withoutY } = jwk
    for (const wrong of [
      withoutX,
      withoutY,
      { ...jwk, x: 'AA' },
      { ...jwk, x: `${jwk['x']}=` },
      { ...jwk, y: 7 },
    ]) {
      expect(() => readJwk(wrong)).toThrow('coordinate')
    }
  })

  test('that is not a point on its curve', () => {
    expect(() => readJwk({ ...jwk, x: Buffer.alloc(32).toString('base64url') })).toThrow('not a point')
    expect(() => readJwk({ ...jwk, x: jwk['y'], y: jwk['x'] })).toThrow('not a point')
  })
})

test('line 26: a device key with a compressed or a missing point is refused', () => {
  const key = received(makeKey())
  expect(() => readCoseKey(new Map([...key, [-3, true]]))).toThrow('coordinate')
  expect(() => readCoseKey(new Map([...key].filter(([label]) => label !== -3)))).toThrow('coordinate')
  expect(() => readCoseKey(new Map([...key].filter(([label]) => label !== 1)))).toThrow('not accepted')
})

function received(pair: KeyPair): CborMap {
  return expectMap(readCbor(encode(coseKey(pair))), 'the key')
}
