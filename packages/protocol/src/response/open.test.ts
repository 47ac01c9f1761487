import { randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { base64url, CompactEncrypt, FlattenedEncrypt, importJWK, type JWK } from 'jose'
import { describe, expect, test } from 'vitest'
import { makeEncryptionKey } from '../request/make-encryption-key.ts'
import { openResponse } from './open.ts'

const encryption_key = makeEncryptionKey(randomBytes(48))
const verification = { channel: 'redirect', state: 'the-state', encryption_key } as const
const content = { state: 'the-state', vp_token: { pid: ['a~b~c'] } }

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
const open = (fields: Record<string, string>) => openResponse(form(fields), verification)
const malformed = (reason: string) => ({ kind: 'malformed', reason: expect.stringContaining(reason) })

type EncryptOptions = { header?: Record<string, unknown>; jwk?: JWK; plaintext?: Uint8Array }

/** Builds a JWE like a wallet, with the given header members replaced. */
async function encrypt(
  value: unknown,
  { header = {}, jwk = encryption_key.jwk, plaintext }: EncryptOptions = {},
) {
  const bytes = plaintext ?? new TextEncoder().encode(JSON.stringify(value))
  return new CompactEncrypt(bytes)
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A128GCM', kid: encryption_key.jwk.kid, ...header })
    .encrypt(await importJWK(jwk, 'ECDH-ES'))
}

describe('[OID4VP-10] an encrypted response', () => {
  test.each(['A128GCM', 'A256GCM'])('with %s is decrypted, and needs no outer state', async (enc) => {
    expect(open({ response: await encrypt(content, { header: { enc } }) })).toEqual({
      kind: 'presentation',
      vp_token: content.vp_token,
    })
  })

  test('with apu and apv is decrypted', async () => {
    const jwe = await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(content)))
      .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', kid: encryption_key.jwk.kid })
      .setKeyManagementParameters({ apu: randomBytes(16), apv: randomBytes(16) })
      .encrypt(await importJWK({ ...encryption_key.jwk }, 'ECDH-ES'))
    expect(open({ response: jwe })).toMatchObject({ kind: 'presentation' })
  })

  test('for another key is refused, regardless of its kid', async () => {
    const other = makeEncryptionKey(randomBytes(48)).jwk
    expect(open({ response: await encrypt(content, { jwk: other, header: { kid: other.kid } }) })).toEqual(
      malformed('does not name the key'),
    )
    expect(open({ response: await encrypt(content, { jwk: other }) })).toEqual(
      malformed('cannot be decrypted'),
    )
  })

  test('without a kid is refused', async () => {
    expect(open({ response: await encrypt(content, { header: { kid: undefined } }) })).toEqual(
      malformed('does not name the key'),
    )
  })

  test.each(['A192GCM', 'A128CBC-HS256', 'A256CBC-HS512'])(
    'with enc %s, which was not offered, is refused',
    async (enc) => {
      expect(open({ response: await encrypt(content, { header: { enc } }) })).toEqual(
        malformed('A128GCM or A256GCM'),
      )
    },
  )

  test('with another alg is refused', async () => {
    expect(open({ response: await encrypt(content, { header: { alg: 'ECDH-ES+A256KW' } }) })).toEqual(
      malformed('ECDH-ES'),
    )
  })

  test('with zip is refused before decompression', async () => {
    const compressed = deflateRawSync(Buffer.alloc(64 * 1024 * 1024, ' '))
    const started = performance.now()
    expect(
      open({ response: await encrypt(content, { header: { zip: 'DEF' }, plaintext: compressed }) }),
    ).toEqual(malformed('compressed'))
    for (const zip of ['', null, 'XYZ']) {
      const header = base64url.encode(
        JSON.stringify({ alg: 'ECDH-ES', enc: 'A128GCM', kid: encryption_key.jwk.kid, zip }),
      )
      expect(open({ response: `${header}....` })).toEqual(malformed('compressed'))
    }
    expect(performance.now() - started).toBeLessThan(5000)
  })

  test('with an unknown critical header is refused', async () => {
    const jwe = await new FlattenedEncrypt(new TextEncoder().encode(JSON.stringify(content)))
      .setProtectedHeader({
        alg: 'ECDH-ES',
        enc: 'A128GCM',
        kid: encryption_key.jwk.kid,
        crit: ['urn:x'],
        'urn:x': true,
      })
      .encrypt(await importJWK({ ...encryption_key.jwk }, 'ECDH-ES'), { crit: { 'urn:x': true } })
    const compact = [jwe.protected, jwe.encrypted_key ?? '', jwe.iv, jwe.ciphertext, jwe.tag].join('.')
    expect(open({ response: compact })).toEqual(malformed('requires an unsupported extension'))
  })

  test('that is too large, or has too long a header, is refused unread', async () => {
    expect(open({ response: 'a'.repeat(2 * 1024 * 1024) })).toEqual(malformed('too large'))
    const header = base64url.encode(
      JSON.stringify({ alg: 'ECDH-ES', enc: 'A128GCM', filler: 'a'.repeat(10_000) }),
    )
    expect(open({ response: `${header}....` })).toEqual(malformed('header'))
  })
})

describe('[OID4VP-11] a wallet error', () => {
  test.each([
    ['access_denied', 'holder_declined'],
    ['invalid_request', 'wallet_error'],
    ['vp_formats_not_supported', 'wallet_error'],
    ['wallet_unavailable', 'wallet_error'],
    ['', 'wallet_error'],
    ['__proto__', 'wallet_error'],
  ])('%s, unencrypted, ends the verification as %s', async (error, code) => {
    expect(open({ error, state: 'the-state' })).toMatchObject({ kind: 'error', error: { code } })
  })

  test('may be encrypted as well', async () => {
    const response = await encrypt({ error: 'access_denied', state: 'the-state' })
    expect(open({ response })).toMatchObject({ kind: 'error', error: { code: 'holder_declined' } })
  })

  test('is reported in printable ASCII and truncated', async () => {
    const response = open({
      error: 'invalid_request',
      error_description: `no\0 such\r\n <b>é thing ${'a'.repeat(500)}`,
      state: 'the-state',
    })
    const message = response.kind === 'error' ? response.error.message : ''
    expect(message).toMatch(/^The wallet could not respond: invalid_request \(no such <b> thing a+\)\.$/)
    expect(message.length).toBeLessThan(300)
  })

  test('that is not text is still an error', async () => {
    const response = await encrypt({ error: { nested: true }, state: 'the-state' })
    expect(open({ response })).toMatchObject({ kind: 'error', error: { code: 'wallet_error' } })
  })
})

describe('[OID4VP-12] state and form', () => {
  test('a wrong state inside is refused', async () => {
    for (const state of ['another', '', ['the-state'], null, 0]) {
      expect(open({ response: await encrypt({ ...content, state }) })).toEqual(malformed('state'))
    }
  })

  test('a missing state inside is accepted: the key of the verification binds the response', async () => {
    expect(open({ response: await encrypt({ vp_token: {} }) })).toMatchObject({ kind: 'presentation' })
    expect(open({ response: await encrypt({ error: 'access_denied' }) })).toMatchObject({ kind: 'error' })
  })

  test('a missing state without encryption is refused', () => {
    expect(open({ error: 'access_denied' })).toEqual(malformed('state'))
  })

  test('the states inside and outside must both match', async () => {
    const wrong = await encrypt({ ...content, state: 'another' })
    expect(open({ response: wrong, state: 'the-state' })).toEqual(malformed('state'))
    expect(open({ response: await encrypt(content), state: 'another' })).toEqual(malformed('state'))
    expect(open({ response: await encrypt(content), state: 'the-state' })).toMatchObject({
      kind: 'presentation',
    })
  })

  test('an error with a wrong or missing state is refused', async () => {
    expect(open({ error: 'access_denied', state: 'another' })).toEqual(malformed('state'))
    expect(open({ error: 'access_denied' })).toEqual(malformed('state'))
  })

  test('an unencrypted vp_token is refused', async () => {
    expect(open({ vp_token: JSON.stringify(content.vp_token), state: 'the-state' })).toEqual(
      malformed('must be encrypted'),
    )
    expect(open({ vp_token: '{}', error: 'access_denied', state: 'the-state' })).toEqual(
      malformed('must be encrypted'),
    )
    expect(open({ response: await encrypt(content), vp_token: '{}' })).toEqual(
      malformed('cannot be combined'),
    )
    expect(open({ response: await encrypt(content), error: 'access_denied' })).toEqual(
      malformed('cannot be combined'),
    )
  })
})

describe('[OID4VP-13] a POST that does not belong to this verification is malformed', () => {
  test.each([
    ['an empty body', ''],
    ['JSON instead of a form', '{"response":"a"}'],
    ['an empty response', 'response='],
    ['a value that is not a JWE', 'response=abc'],
    ['a JWS', 'response=e30.e30.AA'],
    ['four dots', 'response=....'],
    ['six parts', 'response=e30.....'],
    ['a header that is not an object', `response=${base64url.encode('[]')}....`],
    ['a header that is null', `response=${base64url.encode('null')}....`],
    ['a repeated field', 'error=access_denied&state=the-state&state=the-state'],
    ['too many fields', `error=access_denied&state=the-state${'&a='.repeat(31)}`],
  ])('%s', async (_name, body) => {
    expect(openResponse(body, verification)).toMatchObject({ kind: 'malformed' })
  })

  test.each([
    ['not JSON', 'nothing'],
    ['not an object', '["vp_token"]'],
    ['null', 'null'],
    ['a hundred thousand arrays', '['.repeat(100_000)],
  ])('plaintext that is %s', async (_name, text) => {
    const response = await encrypt(undefined, { plaintext: new TextEncoder().encode(text) })
    expect(open({ response })).toMatchObject({ kind: 'malformed' })
  })

  test('plaintext that is not UTF-8', async () => {
    const bytes = new Uint8Array([
      ...new TextEncoder().encode('{"state":"the-state","a":"'),
      0xff,
      0x22,
      0x7d,
    ])
    expect(open({ response: await encrypt(undefined, { plaintext: bytes }) })).toMatchObject({
      kind: 'malformed',
    })
  })

  test('but the right key and state are final, regardless of the content', async () => {
    expect(open({ response: await encrypt({ state: 'the-state' }) })).toEqual({
      kind: 'presentation',
      vp_token: undefined,
    })
  })
})
