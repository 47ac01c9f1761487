import { describe, expect, test } from 'vitest'
import { makeKey, type KeyKind } from '../../test/certificates.ts'
import { coseAlg, joseAlg, publicJwk, signBytes } from '../../test/sign.ts'
import { findCoseAlgorithm, findJoseAlgorithm, type SignatureAlgorithm } from './algorithms.ts'
import { readJwk } from './read-public-key.ts'
import { verifySignature } from './verify-signature.ts'

const kinds: KeyKind[] = ['P-256', 'P-384', 'P-521', 'Ed25519']
const message = Buffer.from('a message')

function algorithmOf(kind: KeyKind): SignatureAlgorithm {
  const algorithm = findJoseAlgorithm(joseAlg({ ...makeKey(), kind }))
  if (algorithm === undefined) throw new Error(`no algorithm for ${kind}`)
  return algorithm
}

describe.each(kinds)('[OID4VP-20] [OID4VP-25] a signature by a key on %s', (kind) => {
  const pair = makeKey(kind)
  const key = readJwk(publicJwk(pair))
  const signature = signBytes(pair, message)

  test('verifies, with the same algorithm in JOSE and COSE', () => {
    expect(verifySignature(algorithmOf(kind), key, message, signature)).toBe(true)
    expect(findCoseAlgorithm(coseAlg(pair))).toBe(algorithmOf(kind))
  })

  test('does not verify for another message, key or curve', () => {
    expect(verifySignature(algorithmOf(kind), key, Buffer.from('another'), signature)).toBe(false)
    expect(verifySignature(algorithmOf(kind), readJwk(publicJwk(makeKey(kind))), message, signature)).toBe(
      false,
    )
    for (const other of kinds.filter((name) => name !== kind)) {
      expect(verifySignature(algorithmOf(other), key, message, signature)).toBe(false)
    }
  })

  test('does not verify with another length', () => {
    for (const bytes of [
      signature.subarray(1),
      Buffer.concat([signature, Buffer.alloc(1)]),
      Buffer.alloc(0),
    ]) {
      expect(verifySignature(algorithmOf(kind), key, message, bytes)).toBe(false)
    }
  })

  test('does not verify if it is all zeros', () => {
    expect(verifySignature(algorithmOf(kind), key, message, Buffer.alloc(signature.length))).toBe(false)
  })
})

test('[OID4VP-20] does not accept none, MACs, RSA or similar names', () => {
  for (const alg of [
    'none',
    'HS256',
    'RS256',
    'PS256',
    'es256',
    'ES256K',
    '',
    undefined,
    ['ES256'],
    'toString',
  ]) {
    expect(findJoseAlgorithm(alg)).toBeUndefined()
  }
  for (const alg of [0, 4, 5, 6, -37, -257, -47, 7, '-7', undefined])
    expect(findCoseAlgorithm(alg)).toBeUndefined()
})
