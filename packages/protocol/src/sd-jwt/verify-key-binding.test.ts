import { describe, expect, test } from 'vitest'
import { fixedNow, makeKey, year_seconds } from '../../test/certificates.ts'
import { makeFixture, redirectBinding, withBinding } from '../../test/fixture.ts'
import { listFailures } from '../../test/presented-credential.ts'
import { digest, presentSdJwt, type SdJwtOptions } from '../../test/sd-jwt.ts'
import type { PresentedCredential } from '../presentation.ts'
import { verifySdJwt } from './verify.ts'

const fixture = makeFixture()

const verify = (options?: SdJwtOptions): PresentedCredential =>
  verifySdJwt(presentSdJwt(fixture, options), fixture.context)

describe('[OID4VP-23] the key binding JWT', () => {
  const refused: [string, SdJwtOptions, string[]][] = [
    ['that is missing', { key_binding_jwt: '' }, ['key_binding']],
    ['that is not a JWT', { key_binding_jwt: 'nonsense' }, ['key_binding']],
    ['of another typ', { proof: { header: { typ: 'JWT' } } }, ['key_binding']],
    ['with crit', { proof: { header: { crit: ['exp'] } } }, ['key_binding']],
    ['with alg none', { proof: { header: { alg: 'none' } } }, ['key_binding']],
    ['with HS256', { proof: { header: { alg: 'HS256' } } }, ['key_binding']],
    ['with the algorithm of another curve', { proof: { header: { alg: 'ES384' } } }, ['key_binding']],
    ['of another key', { proof: { key: makeKey() } }, ['key_binding_signature']],
    ['with another nonce', { proof: { payload: { nonce: 'another' } } }, ['key_binding_nonce']],
    ['without nonce', { proof: { payload: { nonce: undefined } } }, ['key_binding_nonce']],
    ['with another audience', { proof: { payload: { aud: 'x509_hash:other' } } }, ['key_binding_audience']],
    ['with a list of audiences', { proof: { payload: { aud: [redirectBinding.client_id] } } }, ['key_binding_audience']],
    ['with the audience without its prefix', { proof: { payload: { aud: redirectBinding.client_id.split(':')[1] } } }, ['key_binding_audience']],
    ['without iat', { proof: { payload: { iat: undefined } } }, ['key_binding_time']],
    ['with an iat that is text', { proof: { payload: { iat: String(fixedNow) } } }, ['key_binding_time']],
    ['made a year ago', { proof: { payload: { iat: fixedNow - year_seconds } } }, ['key_binding_time']],
    ['made in a year', { proof: { payload: { iat: fixedNow + year_seconds } } }, ['key_binding_time']],
    ['that has expired', { proof: { payload: { exp: fixedNow - 60 } } }, ['key_binding_time']],
    ['whose exp is text', { proof: { payload: { exp: 'x' } } }, ['key_binding']],
    ['with another sd_hash', { proof: { payload: { sd_hash: digest('x') } } }, ['key_binding_hash']],
    ['without sd_hash', { proof: { payload: { sd_hash: undefined } } }, ['key_binding_hash']],
  ] // prettier-ignore
  test.each(refused)('%s is refused', (_, options, checks) => {
    const credential = verify(options)
    expect(listFailures(credential)).toEqual(checks)
    expect(credential).toMatchObject({ holder_binding_valid: false, trusted: true, signature_valid: true })
  })

  test('is issued between 60 seconds before the verification and 60 seconds from now', () => {
    const { created_at } = fixture.context.request
    for (const iat of [created_at - 60, fixedNow + 60])
      expect(verify({ proof: { payload: { iat } } }).findings).toEqual([])
    for (const iat of [created_at - 61, fixedNow + 61]) {
      expect(listFailures(verify({ proof: { payload: { iat } } }))).toEqual(['key_binding_time'])
    }
  })

  test('covers the disclosures: none can be removed afterwards', () => {
    const [jwt, , ...rest] = presentSdJwt(fixture).split('~')
    expect(listFailures(verifySdJwt([jwt, ...rest].join('~'), fixture.context))).toEqual(['key_binding_hash'])
  })

  test('of one verification is refused in another', () => {
    const { context } = withBinding(fixture, { ...redirectBinding, nonce: 'another' })
    expect(listFailures(verifySdJwt(presentSdJwt(fixture), context))).toEqual(['key_binding_nonce'])
  })

  test('is not accepted in place of a disclosure', () => {
    const proof = presentSdJwt(fixture).split('~').at(-1) ?? ''
    expect(
      listFailures(
        verifySdJwt(`${presentSdJwt(fixture, { key_binding_jwt: '' })}${proof}~`, fixture.context),
      ),
    ).toContain('key_binding')
  })
})
