import { randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { base64url, CompactEncrypt, FlattenedEncrypt, importJWK, type JWK } from 'jose'
import { describe, expect, test } from 'vitest'
import { makeEncryptionKey } from '../request/make-encryption-key.ts'
import { openResponse } from './open.ts'

const encryption_key = makeEncryptionKey(randomBytes(48))
const session = { state: 'the-state', encryption_key }
const answer = { state: 'the-state', vp_token: { pid: ['a~b~c'] } }

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
const open = (fields: Record<string, string>) => openResponse(form(fields), session)
const malformed = (reason: string) => ({ kind: 'malformed', reason: expect.stringContaining(reason) })

type EncryptOptions = { header?: Record<string, unknown>; jwk?: JWK; plaintext?: Uint8Array }

/** A JWE as a wallet makes it, with the header's members in place of the right ones. */
async function encrypt(
  content: unknown,
  { header = {}, jwk = encryption_key.jwk, plaintext }: EncryptOptions = {},
) {
  const bytes = plaintext ?? new TextEncoder().encode(JSON.stringify(content))
  return new CompactEncrypt(bytes)
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A128GCM', kid: encryption_key.jwk.kid, ...header })
    .encrypt(await importJWK(jwk, 'ECDH-ES'))
}

describe('line 10: an encrypted response', () => {
  test.each(['A128GCM', 'A256GCM'])('with %s opens, and needs no outer state', async (enc) => {
    expect(open({ response: await encrypt(answer, { header: { enc } }) })).toEqual({
      kind: 'presentation',
      vp_token: answer.vp_token,
    })
  })

  test('with apu and apv opens', async () => {
    const jwe = await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(answer)))
      .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', kid: encryption_key.jwk.kid })
      .setKeyManagementParameters({ apu: randomBytes(16), apv: randomBytes(16) })
      .encrypt(await importJWK({ ...encryption_key.jwk }, 'ECDH-ES'))
    expect(open({ response: jwe })).toMatchObject({ kind: 'presentation' })
  })

  test('to another key is refused, whatever it names', async () => {
    const other = makeEncryptionKey(randomBytes(48)).jwk
    expect(open({ response: await encrypt(answer, { jwk: other, header: { kid: other.kid } }) })).toEqual(
      malformed('does not name the key'),
    )
    expect(open({ response: await encrypt(answer, { jwk: other }) })).toEqual(
      malformed('cannot be decrypted'),
    )
  })

  test('without a kid is refused', async () => {
    expect(open({ response: await encrypt(answer, { header: { kid: undefined } }) })).toEqual(
      malformed('does not name the key'),
    )
  })

  test.each(['A192GCM', 'A128CBC-HS256', 'A256CBC-HS512'])(
    'with enc %s, which was not offered, is refused',
    async (enc) => {
      expect(open({ response: await encrypt(answer, { header: { enc } }) })).toEqual(
        malformed('A128GCM or A256GCM'),
      )
    },
  )

  test('with another alg is refused', async () => {
    expect(open({ response: await encrypt(answer, { header: { alg: 'ECDH-ES+A256KW' } }) })).toEqual(
      malformed('ECDH-ES'),
    )
  })

  test('with zip is refused before anything is inflated', async () => {
    const bomb = deflateRawSync(Buffer.alloc(64 * 1024 * 1024, ' '))
    const started = performance.now()
    expect(open({ response: await encrypt(answer, { header: { zip: 'DEF' }, plaintext: bomb }) })).toEqual(
      malformed('compressed'),
    )
    for (const zip of ['', null, 'XYZ']) {
      const header = base64url.encode(
        JSON.stringify({ alg: 'ECDH-ES', enc: 'A128GCM', kid: encryption_key.jwk.kid, zip }),
      )
      expect(open({ response: `${header}....` })).toEqual(malformed('compressed'))
    }
    expect(performance.now() - started).toBeLessThan(5000)
  })

  test('with an unknown critical header is refused', async () => {
    const jwe = await new FlattenedEncrypt(new TextEncoder().encode(JSON.stringify(answer)))
      .setProtectedHeader({
        alg: 'ECDH-ES',
        enc: 'A128GCM',
        kid: encryption_key.jwk.kid,
        crit: ['urn:x'],
        'urn:x': true,
      })
      .encrypt(await importJWK({ ...encryption_key.jwk }, 'ECDH-ES'), { crit: { 'urn:x': true } })
    const compact = [jwe.protected, jwe.encrypted_key ?? '', jwe.iv, jwe.ciphertext, jwe.tag].join('.')
    expect(open({ response: compact })).toEqual(malformed('demands an extension'))
  })

  test('over the limit of size, or with an endless header, is refused unread', async () => {
    expect(open({ response: 'a'.repeat(2 * 1024 * 1024) })).toEqual(malformed('too large'))
    const header = base64url.encode(
      JSON.stringify({ alg: 'ECDH-ES', enc: 'A128GCM', filler: 'a'.repeat(10_000) }),
    )
    expect(open({ response: `${header}....` })).toEqual(malformed('header'))
  })
})

describe('line 11: an error of the wallet', () => {
  test.each([
    ['access_denied', 'holder_declined'],
    ['invalid_request', 'wallet_error'],
    ['vp_formats_not_supported', 'wallet_error'],
    ['wallet_unavailable', 'wallet_error'],
    ['', 'wallet_error'],
    ['__proto__', 'wallet_error'],
  ])('%s in the clear ends the session as %s', async (error, code) => {
    expect(open({ error, state: 'the-state' })).toMatchObject({ kind: 'error', error: { code } })
  })

  test('may be encrypted as well', async () => {
    const response = await encrypt({ error: 'access_denied', state: 'the-state' })
    expect(open({ response })).toMatchObject({ kind: 'error', error: { code: 'holder_declined' } })
  })

  test('is told in printable ASCII, and not at length', async () => {
    const response = open({
      error: 'invalid_request',
      error_description: `no\0 such\r\n <b>é thing ${'a'.repeat(500)}`,
      state: 'the-state',
    })
    const message = response.kind === 'error' ? response.error.message : ''
    expect(message).toMatch(/^The wallet could not answer: invalid_request \(no such <b> thing a+\)\.$/)
    expect(message.length).toBeLessThan(300)
  })

  test('that is no text is an error all the same', async () => {
    const response = await encrypt({ error: { nested: true }, state: 'the-state' })
    expect(open({ response })).toMatchObject({ kind: 'error', error: { code: 'wallet_error' } })
  })
})

describe('line 12: state and form', () => {
  test('a wrong state inside is refused', async () => {
    for (const state of ['another', '', ['the-state'], null, 0]) {
      expect(open({ response: await encrypt({ ...answer, state }) })).toEqual(malformed('state'))
    }
  })

  test('a missing state inside is accepted: the key of the session binds the answer', async () => {
    expect(open({ response: await encrypt({ vp_token: {} }) })).toMatchObject({ kind: 'presentation' })
    expect(open({ response: await encrypt({ error: 'access_denied' }) })).toMatchObject({ kind: 'error' })
  })

  test('a missing state in the clear is refused', () => {
    expect(open({ error: 'access_denied' })).toEqual(malformed('state'))
  })

  test('the right state outside does not heal a wrong one inside, nor the other way round', async () => {
    const wrong = await encrypt({ ...answer, state: 'another' })
    expect(open({ response: wrong, state: 'the-state' })).toEqual(malformed('state'))
    expect(open({ response: await encrypt(answer), state: 'another' })).toEqual(malformed('state'))
    expect(open({ response: await encrypt(answer), state: 'the-state' })).toMatchObject({
      kind: 'presentation',
    })
  })

  test('an error with a wrong or no state is refused', async () => {
    expect(open({ error: 'access_denied', state: 'another' })).toEqual(malformed('state'))
    expect(open({ error: 'access_denied' })).toEqual(malformed('state'))
  })

  test('a plain vp_token is refused', async () => {
    expect(open({ vp_token: JSON.stringify(answer.vp_token), state: 'the-state' })).toEqual(
      malformed('must be encrypted'),
    )
    expect(open({ vp_token: '{}', error: 'access_denied', state: 'the-state' })).toEqual(
      malformed('must be encrypted'),
    )
    expect(open({ response: await encrypt(answer), vp_token: '{}' })).toEqual(malformed('stands alone'))
    expect(open({ response: await encrypt(answer), error: 'access_denied' })).toEqual(
      malformed('stands alone'),
    )
  })
})

describe('line 13: what is no answer of this session changes nothing', () => {
  test.each([
    ['an empty body', ''],
    ['no form', '{"response":"a"}'],
    ['an empty response', 'response='],
    ['no JWE', 'response=abc'],
    ['a JWS', 'response=e30.e30.AA'],
    ['four dots', 'response=....'],
    ['six parts', 'response=e30.....'],
    ['a header that is no object', `response=${base64url.encode('[]')}....`],
    ['a header that is null', `response=${base64url.encode('null')}....`],
    ['a repeated field', 'error=access_denied&state=the-state&state=the-state'],
    ['a field too many', `error=access_denied&state=the-state${'&a='.repeat(31)}`],
  ])('%s', async (_name, body) => {
    expect(openResponse(body, session)).toMatchObject({ kind: 'malformed' })
  })

  test.each([
    ['no JSON', 'nothing'],
    ['no object', '["vp_token"]'],
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

  test('but the right key and state are final, whatever else is there', async () => {
    expect(open({ response: await encrypt({ state: 'the-state' }) })).toEqual({
      kind: 'presentation',
      vp_token: undefined,
    })
  })
})
