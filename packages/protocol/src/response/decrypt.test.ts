import { randomBytes, randomInt } from 'node:crypto'
import { CompactEncrypt, importJWK } from 'jose'
import { describe, expect, test } from 'vitest'
import { makeEncryptionKey } from '../request/make-encryption-key.ts'
import { decryptResponse } from './decrypt.ts'
import { concatKdf } from './derive-content-key.ts'

const key = makeEncryptionKey(randomBytes(48))
const publicKey = await importJWK(key.jwk, 'ECDH-ES')
const content = { vp_token: { pid: ['a~b~c'] }, state: 'the-state' }

type EncryptOptions = { enc?: string; apu?: Uint8Array; apv?: Uint8Array }

/** Encrypts with a library that shares no code with the decryption. */
function encrypt(value: unknown, { enc = 'A128GCM', ...parties }: EncryptOptions = {}): Promise<string> {
  return new CompactEncrypt(Buffer.from(JSON.stringify(value)))
    .setProtectedHeader({ alg: 'ECDH-ES', enc, kid: key.jwk.kid })
    .setKeyManagementParameters(parties)
    .encrypt(publicKey)
}

/** Encrypts, then alters the header or the parts. Decryption must fail. */
async function encryptAndAlter(
  alter: (header: Record<string, unknown>, parts: string[]) => void,
): Promise<string> {
  const [encoded = '', ...parts] = (await encrypt(content)).split('.')
  const header = JSON.parse(Buffer.from(encoded, 'base64url').toString())
  alter(header, parts)
  return [Buffer.from(JSON.stringify(header)).toString('base64url'), ...parts].join('.')
}

test('decrypts the example of the specification (OpenID4VP 1.0 §8.3)', () => {
  // makeEncryptionKey adds one to the scalar.
  const scalar = BigInt(
    `0x${Buffer.from('Et-3ce0omz8_TuZ96Df9lp0GAaaDoUnDe6X-CRO7Aww', 'base64url').toString('hex')}`,
  )
  const example = makeEncryptionKey(Buffer.from((scalar - 1n).toString(16).padStart(96, '0'), 'hex'))
  expect(example.jwk).toMatchObject({
    x: 'YO4epjifD-KWeq1sL2tNmm36BhXnkJ0He-WqMYrp9Fk',
    y: 'Hekpm0zfK7C-YccH5iBjcIXgf6YdUvNUac_0At55Okk',
  })
  const jwe =
    'eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTEyOEdDTSIsImtpZCI6ImFjIiwiZXBrIjp7Imt0eSI6IkVDIiwieCI6Im5ubVZwbTNWM2piaGNhZlFhUkJrU1ZOSGx3Wkh3dC05ck9wSnVmeVlJdWsiLCJ5IjoicjRmakRxd0p5czlxVU9QLV9iM21SNVNaRy0tQ3dPMm1pYzVWU05UWU45ZyIsImNydiI6IlAtMjU2In19..uAYcHRUSSn2X0WPX.yVzlGSYG4qbg0bq18JcUiDRw56yVnbKR8E7S7YlEtzT00RqE3Pw5oTpUG3hdLN4taHZ9gC1kwak8JOnJgQ.1wR024_3-qtAlx1oFIUpQQ'
  expect(decryptResponse(jwe, { ...example, jwk: { ...example.jwk, kid: 'ac' } })).toEqual({
    value: { vp_token: { example_credential_id: ['eyJhb...YMetA'] } },
  })
})

test('derives the content key of the example (RFC 7518, Appendix C)', () => {
  const secret = [
    158, 86, 217, 29, 129, 113, 53, 211, 114, 131, 66, 131, 191, 132, 38, 156, 251, 49, 110, 163, 218, 128,
    106, 72, 246, 218, 167, 121, 140, 254, 144, 196,
  ]
  const derived = concatKdf(Buffer.from(secret), {
    algorithm: Buffer.from('A128GCM'),
    party_u: Buffer.from('Alice'),
    party_v: Buffer.from('Bob'),
    key_bytes: 16,
  })
  expect(derived.toString('base64url')).toBe('VqqN6vgjbSBcIijNcacQGg')
})

test('decrypts 1,000 responses encrypted by another library', async () => {
  for (let count = 0; count < 1000; count += 1) {
    const value = { text: randomBytes(randomInt(3000)).toString('base64'), count }
    const jwe = await encrypt(value, {
      enc: count % 2 === 0 ? 'A128GCM' : 'A256GCM',
      ...(count % 3 === 0 && { apu: randomBytes(randomInt(1, 40)) }),
      ...(count % 5 === 0 && { apv: randomBytes(randomInt(1, 40)) }),
    })
    expect(decryptResponse(jwe, key)).toEqual({ value })
  }
})

test('refuses a response with any character changed, removed or repeated', async () => {
  const jwe = await encrypt(content, { apv: randomBytes(8) })
  for (let index = 0; index < jwe.length; index += 1) {
    const other = jwe[index] === 'A' ? 'B' : 'A'
    for (const replacement of [other, '', `${jwe[index]}${jwe[index]}`]) {
      const wrong = jwe.slice(0, index) + replacement + jwe.slice(index + 1)
      expect(decryptResponse(wrong, key)).toHaveProperty('error')
    }
  }
})

describe('refuses', () => {
  test.each<[string, (header: Record<string, unknown>, parts: string[]) => void, string]>([
    ['no ephemeral key', (header) => delete header['epk'], 'epk'],
    ['a null ephemeral key', (header) => (header['epk'] = null), 'epk'],
    [
      'an ephemeral key on another curve',
      (header) => (header['epk'] = { ...Object(header['epk']), crv: 'P-384' }),
      'P-256',
    ],
    [
      'an ephemeral key of another type',
      (header) => (header['epk'] = { ...Object(header['epk']), kty: 'OKP' }),
      'P-256',
    ],
    [
      'an ephemeral key without y',
      (header) => (header['epk'] = { ...Object(header['epk']), y: undefined }),
      'not text',
    ],
    [
      'an ephemeral key with a short x',
      (header) => (header['epk'] = { ...Object(header['epk']), x: 'AA' }),
      'length',
    ],
    [
      'an ephemeral key that is not on the curve',
      (header) => (header['epk'] = { ...Object(header['epk']), x: Buffer.alloc(32).toString('base64url') }),
      'not a point on the curve',
    ],
    ['an apu that is not text', (header) => (header['apu'] = 1), 'apu'],
    ['an apv that is not base64url', (header) => (header['apv'] = '='), 'base64url'],
    ['an altered header', (header) => (header['typ'] = 'JWT'), 'cannot be decrypted'],
    ['an encrypted key', (_, parts) => (parts[0] = 'AAAA'), 'contains an encrypted key'],
    ['a short nonce', (_, parts) => (parts[1] = 'AAAA'), 'nonce or tag'],
    ['a truncated tag', (_, parts) => (parts[3] = parts[3]?.slice(0, 16) ?? ''), 'nonce or tag'],
    ['no tag', (_, parts) => (parts[3] = ''), 'nonce or tag'],
    ['no content', (_, parts) => (parts[2] = ''), 'cannot be decrypted'],
  ])('%s', async (_name, alter, error) => {
    expect(decryptResponse(await encryptAndAlter(alter), key)).toEqual({
      error: expect.stringContaining(error),
    })
  })
})
