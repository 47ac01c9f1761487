import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeCertificate } from '../../test/certificates.ts'
import { signJws } from '../../test/sign.ts'
import { checkRegistrationStatus } from './check-registration-status.ts'
import { findUnregistered } from './find-unregistered.ts'
import { isBoundTo } from './is-bound-to.ts'
import { readRegistration } from './read-registration.ts'

const seal = makeCertificate({ common_name: 'Registrar' })
const header = { typ: 'rc-wrp+jwt', alg: 'ES256', x5c: [seal.der.toString('base64')] }
const valid = {
  iat: 1,
  exp: 2,
  sub: 'NTRUT-1',
  credentials: [{ format: 'x', meta: 'y', claim: [{ path: 'z' }] }],
}
const members =
  'name sub sub_ln country srv_description service entitlements privacy_policy info_uri supervisory_authority dpa policy_id iat exp status credentials purpose act intermediary'.split(
    ' ',
  )
/** Any JSON, often with the names that are read. */
const anyValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, 0, -1, 1e300, '', 'x', '\0', '\ud800'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(
        'id',
        'identifier',
        'sub',
        'value',
        'format',
        'meta',
        'claim',
        'path',
        'status_list',
        'uri',
        'idx',
        '__proto__',
      ),
      tie('value'),
      { maxKeys: 4 },
    ),
  ),
})).value

test('whatever a signed certificate contains, it is read or refused, and never an exception', () => {
  fc.assert(
    fc.property(fc.constantFrom(...members), anyValue, (member, value) => {
      const token = signJws(header, { ...valid, [member]: value }, seal)
      const read = readRegistration(token, { anchors: [], now: 1 })
      if ('error' in read) return
      expect(JSON.parse(JSON.stringify(read.value))).toEqual(read.value)
      isBoundTo(read.value, seal.der)
      checkRegistrationStatus(read.value, { token: 'a.b.c', media: 'jwt' }, { anchors: [], now: 1 })
      findUnregistered({ credentials: [{ id: 'a', format: 'x', meta: { doctype_value: 'y' } }] }, read.value)
    }),
    { numRuns: 500 },
  )
})

test('whatever a query contains, it is compared without an exception', () => {
  const credentials = [{ format: 'x', types: ['y'], claims: [['z', null]] }]
  fc.assert(
    fc.property(anyValue, anyValue, anyValue, (meta, claims, format) => {
      const found = findUnregistered({ credentials: [{ id: 'a', format, meta, claims }] }, { credentials })
      expect(found.every(({ credential_id }) => credential_id === 'a')).toBe(true)
    }),
    { numRuns: 500 },
  )
})
