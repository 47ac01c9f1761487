import { describe, expect, test } from 'vitest'
import { encodeCbor } from '../../test/cbor.ts'
import { makeKey, type KeyKind, type KeyPair } from '../../test/certificates.ts'
import { coseKey, publicJwk } from '../../test/sign.ts'
import { expectMap } from '../cbor/expect.ts'
import { readCbor, type CborMap } from '../cbor/read.ts'
import { readCoseKey, readJwk } from './read-public-key.ts'

const brainpool: KeyKind[] = ['brainpoolP256r1', 'brainpoolP320r1', 'brainpoolP384r1', 'brainpoolP512r1']
const kinds: KeyKind[] = ['P-256', 'P-384', 'P-521', ...brainpool, 'Ed25519']

test.each(kinds)('[OID4VP-22] [OID4VP-26] a key on %s is read equally from a JWK and a COSE_Key', (kind) => {
  const pair = makeKey(kind)
  expect(readJwk(publicJwk(pair)).key.equals(pair.publicKey)).toBe(true)
  const device = readCoseKey(readBack(pair))
  expect(device.key.equals(pair.publicKey)).toBe(true)
  expect(device.curve).toBe(readJwk(publicJwk(pair)).curve)
})

describe.each(brainpool)('a key on %s', (kind) => {
  const pair = makeKey(kind)
  const jwk = publicJwk(pair)

  test('is read under the own name of the curve as well', () => {
    expect(readJwk({ ...jwk, crv: kind }).key.equals(pair.publicKey)).toBe(true)
  })

  test('is refused as a key on another curve, and if it is not on this one', () => {
    const size = Buffer.from(jwk['x'] ?? '', 'base64url').length
    const names = ['P-256', 'P-384', 'P-521', 'BP-256', 'BP-320', 'BP-384', 'BP-512']
    for (const crv of names.filter((name) => name !== jwk['crv'])) {
      expect(() => readJwk({ ...jwk, crv })).toThrow(/coordinate|not a point/)
    }
    expect(() => readJwk({ ...jwk, x: Buffer.alloc(size, 1).toString('base64url') })).toThrow('not a point')
    expect(() => readCoseKey(new Map([...readBack(pair), [-2, Buffer.alloc(size, 1)]]))).toThrow(
      'not a point',
    )
    expect(() => readCoseKey(new Map([...readBack(pair), [-1, 1]]))).toThrow(/coordinate|not a point/)
    expect(() => readJwk({ ...jwk, crv: 'bp-256' })).toThrow('not accepted')
    expect(() => readCoseKey(new Map([...readBack(pair), [-1, 260]]))).toThrow('not accepted')
  })
})

test.each<[string, unknown]>([
  ['kid', 'one'],
  ['use', 'sig'],
  ['use', 'enc'],
  ['alg', 'ES256'],
  ['alg', 'ES384'],
  ['key_ops', ['verify']],
  ['x5c', ['AAAA']],
  ['iat', 1],
])('[OID4VP-22] the member %s of a JWK is ignored: %j', (member, value) => {
  const pair = makeKey()
  expect(readJwk({ ...publicJwk(pair), [member]: value }).key.equals(pair.publicKey)).toBe(true)
})

describe('[OID4VP-22] a JWK is refused', () => {
  const jwk = publicJwk(makeKey())

  test.each(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])('with the private member %s', (member) => {
    expect(() => readJwk({ ...jwk, [member]: 'x' })).toThrow('private')
  })

  test('of another type or curve', () => {
    expect(() => readJwk({ ...jwk, kty: 'oct' })).toThrow('not accepted')
    expect(() => readJwk({ ...jwk, crv: 'secp256k1' })).toThrow('not accepted')
    expect(() => readJwk({ ...jwk, kty: 'OKP' })).toThrow('not accepted')
    expect(() => readJwk({})).toThrow('not accepted')
  })

  test('with a coordinate that is missing, short, padded or not text', () => {
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

test('[OID4VP-26] a device key with a compressed or missing coordinate is refused', () => {
  const key = readBack(makeKey())
  expect(() => readCoseKey(new Map([...key, [-3, true]]))).toThrow('coordinate')
  expect(() => readCoseKey(new Map([...key].filter(([label]) => label !== -3)))).toThrow('coordinate')
  expect(() => readCoseKey(new Map([...key].filter(([label]) => label !== 1)))).toThrow('not accepted')
  expect(() => readCoseKey(new Map([...key, [-4, Buffer.alloc(32)]]))).toThrow('private')
})

function readBack(pair: KeyPair): CborMap {
  return expectMap(readCbor(encodeCbor(coseKey(pair))), 'the key')
}
