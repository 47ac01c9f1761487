import { describe, expect, test } from 'vitest'
import { makeKey, type KeyKind } from '../../test/certificates.ts'
import { coseAlg, joseAlg, publicJwk, signBytes } from '../../test/sign.ts'
import { findCoseAlgorithm, findJoseAlgorithm, type SignatureAlgorithm } from './algorithms.ts'
import { readJwk } from './read-public-key.ts'
import { verifySignature } from './verify-signature.ts'

const brainpool: KeyKind[] = ['brainpoolP256r1', 'brainpoolP320r1', 'brainpoolP384r1', 'brainpoolP512r1']
const kinds: KeyKind[] = ['P-256', 'P-384', 'P-521', ...brainpool, 'Ed25519']
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

  const verifyCose = (id: number) => {
    const algorithm = findCoseAlgorithm(id)
    return algorithm !== undefined && verifySignature(algorithm, key, message, signature)
  }

  test('verifies, with the same algorithm in JOSE and COSE', () => {
    expect(verifySignature(algorithmOf(kind), key, message, signature)).toBe(true)
    expect(verifyCose(coseAlg(pair))).toBe(true)
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

test('an id of RFC 9053 fits the curves of its hash, one of RFC 9864 only its own', () => {
  const curves = (id: number) => [...(findCoseAlgorithm(id)?.signature_bytes.keys() ?? [])]
  expect(curves(-7)).toEqual(['prime256v1', 'brainpoolP256r1'])
  expect(curves(-35)).toEqual(['secp384r1', 'brainpoolP320r1', 'brainpoolP384r1'])
  expect(curves(-36)).toEqual(['secp521r1', 'brainpoolP512r1'])
  expect([-9, -51, -52, -265, -266, -267, -268, -19].map(curves)).toEqual([
    ['prime256v1'],
    ['secp384r1'],
    ['secp521r1'],
    ['brainpoolP256r1'],
    ['brainpoolP320r1'],
    ['brainpoolP384r1'],
    ['brainpoolP512r1'],
    ['ed25519'],
  ])
  for (const name of ['ES256', 'ESB256']) expect(findJoseAlgorithm(name)?.signature_bytes.size).toBe(1)
})

test('[OID4VP-20] does not accept none, MACs, RSA or similar names', () => {
  for (const alg of [
    'none',
    'HS256',
    'RS256',
    'PS256',
    'es256',
    'ES256K',
    'ESB192',
    'BP256R1',
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
