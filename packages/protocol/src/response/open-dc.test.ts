import { randomBytes } from 'node:crypto'
import { CompactEncrypt, importJWK } from 'jose'
import { describe, expect, test } from 'vitest'
import { dcApiVector } from '../../test/dc-api-vectors.ts'
import { makeEncryptionKey } from '../request/make-encryption-key.ts'
import { encryptionKeyWith } from '../../test/encryption-key.ts'
import { readDcChannel } from './dc-protocols.ts'
import { openResponse } from './open.ts'

const encryption_key = makeEncryptionKey(randomBytes(48))
const verification = { channel: 'dc_api', encryption_key } as const
const protocol = 'openid4vp-v1-signed'
const vp_token = { pid: ['a~b~c'] }

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
const open = (fields: Record<string, string>) => openResponse(form({ protocol, ...fields }), verification)
const malformed = (reason: string) => ({ kind: 'malformed', reason: expect.stringContaining(reason) })

async function encrypt(value: unknown, { jwk } = encryption_key): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(value)))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A128GCM', kid: jwk.kid })
    .encrypt(await importJWK({ ...jwk }, 'ECDH-ES'))
}

describe('a response to an OpenID4VP request over the Digital Credentials API', () => {
  test('of the specification is opened, without state', () => {
    const { input } = dcApiVector('openid4vp-encrypted-response')
    const d = Buffer.from('Et-3ce0omz8_TuZ96Df9lp0GAaaDoUnDe6X-CRO7Aww', 'base64url').toString('hex')
    const key = encryptionKeyWith(d)
    const published = { ...verification, encryption_key: { ...key, jwk: { ...key.jwk, kid: 'ac' } } }
    const body = form({ protocol, response: input.jwe_compact ?? '' })
    expect(openResponse(body, published)).toEqual({
      kind: 'presentation',
      vp_token: { example_credential_id: ['eyJhb...YMetA'] },
    })
  })

  test.each([
    ['without state', {}],
    ['with any state, which this channel does not define', { state: 'anything' }],
    ['with a state that is not text', { state: [] }],
  ])('%s is opened', async (_, members) => {
    expect(open({ response: await encrypt({ vp_token, ...members }) })).toEqual({
      kind: 'presentation',
      vp_token,
    })
  })

  test('for another key is malformed', async () => {
    const other = makeEncryptionKey(randomBytes(48))
    expect(open({ response: await encrypt({ vp_token }, other) })).toEqual(malformed('does not name the key'))
  })

  test.each([
    ['no protocol', ''],
    ['the protocol of Annex C', 'org-iso-mdoc'],
    ['an unsigned request', 'openid4vp-v1-unsigned'],
    ['a draft', 'openid4vp'],
  ])('with %s is malformed', async (_, wrong) => {
    const response = await encrypt({ vp_token })
    const fields: Record<string, string> = wrong === '' ? { response } : { protocol: wrong, response }
    expect(openResponse(form(fields), verification)).toEqual(malformed('protocol is not'))
  })

  test('with other fields is malformed', async () => {
    const response = await encrypt({ vp_token })
    expect(open({ response, error: 'access_denied' })).toEqual(malformed('cannot be combined'))
    expect(open({ response, vp_token: '{}' })).toEqual(malformed('must be encrypted'))
    expect(open({ vp_token: '{}' })).toEqual(malformed('must be encrypted'))
    expect(open({})).toEqual(malformed('both missing'))
    expect(openResponse(`${form({ protocol, response })}&response=x`, verification)).toEqual(
      malformed('repeats'),
    )
    expect(open({ response: 'a'.repeat(2 * 1024 * 1024) })).toEqual(malformed('too large'))
  })
})

describe('an error over the Digital Credentials API', () => {
  test('of the specification is unencrypted, and so is not bound to the verification', () => {
    const { data } = dcApiVector('openid4vp-dcapi-error')
    expect(open({ error: data?.error ?? '' })).toEqual({
      kind: 'error',
      error: {
        code: 'wallet_error',
        message: 'The wallet could not respond: invalid_request.',
        may_have_other_wallet: false,
      },
      bound_to_verification: false,
    })
  })

  test('has no state that could bind it', () => {
    expect(open({ error: 'access_denied', state: 'x' })).toMatchObject({
      error: { code: 'holder_declined' },
      bound_to_verification: false,
    })
  })

  test('that is encrypted is bound to the verification', async () => {
    expect(open({ response: await encrypt({ error: 'access_denied' }) })).toMatchObject({
      kind: 'error',
      error: { code: 'holder_declined' },
      bound_to_verification: true,
    })
  })

  test('needs the protocol as well', () => {
    expect(openResponse(form({ error: 'access_denied' }), verification)).toEqual(malformed('protocol'))
  })
})

test('the posted form names the channel whose request it answers', () => {
  expect(readDcChannel(protocol)).toBe('dc_api')
  expect(readDcChannel('openid4vp-v1-multisigned')).toBe('dc_api')
  expect(readDcChannel('org-iso-mdoc')).toBe('annex_c')
  for (const other of [undefined, '', 'toString', 'openid4vp']) expect(readDcChannel(other)).toBeUndefined()
})

describe('[DC-12] a response of the EU age-verification app', () => {
  const ageApp = { channel: 'age_app', state: 'the-state' } as const
  const openAgeApp = (fields: Record<string, string>) => openResponse(form(fields), ageApp)

  test('is not encrypted, and carries the state', () => {
    expect(openAgeApp({ vp_token: '{"av":["AAAA"]}', state: 'the-state' })).toEqual({
      kind: 'presentation',
      vp_token: { av: ['AAAA'] },
    })
  })

  test.each([
    ['without state', {}],
    ['with an empty state', { state: '' }],
    ['with another state', { state: 'another' }],
  ])('%s is malformed', (_, fields) => {
    expect(openAgeApp({ vp_token: '{}', ...fields })).toEqual(malformed('state'))
    expect(openAgeApp({ error: 'access_denied', ...fields })).toEqual(malformed('state'))
  })

  test('that is not JSON is final, because its state is right', () => {
    for (const text of ['', 'AAAA', '{', '['.repeat(100_000)])
      expect(openAgeApp({ vp_token: text, state: 'the-state' })).toEqual({
        kind: 'presentation',
        vp_token: undefined,
      })
  })

  test('with an error ends the verification', () => {
    expect(openAgeApp({ error: 'access_denied', state: 'the-state' })).toMatchObject({
      kind: 'error',
      error: { code: 'holder_declined' },
      bound_to_verification: true,
    })
  })

  test('with other fields is malformed', async () => {
    const state = 'the-state'
    expect(openAgeApp({ response: await encrypt({ vp_token }), state })).toEqual(malformed('encrypted'))
    expect(openAgeApp({ vp_token: '{}', error: 'access_denied', state })).toEqual(malformed('combined'))
    expect(openAgeApp({ state })).toEqual(malformed('both missing'))
  })
})
