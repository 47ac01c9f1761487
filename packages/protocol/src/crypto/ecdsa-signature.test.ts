import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { fromDerSignature, toDerSignature } from './ecdsa-signature.ts'

test.each([
  ['P-256', 64],
  ['P-384', 96],
  ['P-521', 132],
  ['brainpoolP320r1', 80],
  ['brainpoolP512r1', 128],
])('converts a signature on %s to and from DER like node:crypto', (namedCurve, bytes) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve })
  for (let count = 0; count < 300; count += 1) {
    const message = Buffer.from(`message ${count}`)
    const plain = sign('sha256', message, { key: privateKey, dsaEncoding: 'ieee-p1363' })
    expect(verify('sha256', message, publicKey, toDerSignature(plain))).toBe(true)

    const der = sign('sha256', message, privateKey)
    const read = fromDerSignature(der, bytes)
    expect(verify('sha256', message, { key: publicKey, dsaEncoding: 'ieee-p1363' }, read)).toBe(true)
    expect(toDerSignature(read)).toEqual(der)
  }
})

test('preserves numbers that are short, zero or start with a set bit', () => {
  const numbers = [
    '00'.repeat(32),
    `${'00'.repeat(31)}01`,
    `${'00'.repeat(31)}80`,
    '7f'.repeat(32),
    'ff'.repeat(32),
  ]
  for (const r of numbers) {
    for (const s of numbers) {
      const plain = Buffer.from(r + s, 'hex')
      expect(fromDerSignature(toDerSignature(plain), 64)).toEqual(plain)
    }
  }
  expect(toDerSignature(Buffer.from(`${'00'.repeat(31)}80${'00'.repeat(32)}`, 'hex')).toString('hex')).toBe(
    '300702020080020100',
  )
})
