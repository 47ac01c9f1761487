import { createPrivateKey, createPublicKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { hpke } from '../../test/published-vectors.ts'
import { sealHpke } from './seal-hpke.ts'

const bytes = (hex: string) => Buffer.from(hex, 'hex')

/** An uncompressed point as a JWK. */
function toJwk(point: string) {
  const [x, y] = [bytes(point).subarray(1, 33), bytes(point).subarray(33)]
  return { kty: 'EC', crv: 'P-256', x: x.toString('base64url'), y: y.toString('base64url') }
}

const ephemeral = { ...toJwk(hpke.enc), d: bytes(hpke.ephemeral_secret).toString('base64url') }
const input = {
  recipient: createPublicKey({ key: toJwk(hpke.recipient), format: 'jwk' }),
  info: bytes(hpke.info),
  aad: bytes(hpke.aad),
  plaintext: bytes(hpke.plaintext),
}

test('RFC 9180 appendix A.3.1: the message is encrypted as published', () => {
  const ephemeral_key = createPrivateKey({ key: ephemeral, format: 'jwk' })
  const { enc, ciphertext } = sealHpke(input, { ephemeral_key })

  expect(Buffer.from(enc).toString('hex')).toBe(hpke.enc)
  expect(Buffer.from(ciphertext).toString('hex')).toBe(hpke.ciphertext)
})

test('every message has a new ephemeral key', () => {
  expect(sealHpke(input).enc).not.toEqual(sealHpke(input).enc)
})
