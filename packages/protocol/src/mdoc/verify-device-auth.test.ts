import { describe, expect, test } from 'vitest'
import { cborMap, encodeCbor, wrapInTag24, type CborValue } from '../../test/cbor.ts'
import { makeKey } from '../../test/certificates.ts'
import { makeFixture, redirectBinding, typeNames, withBinding } from '../../test/fixture.ts'
import { buildTranscript, mdlNameSpace, presentMdoc, type MdocOptions } from '../../test/mdoc.ts'
import { listFailures } from '../../test/presented-credential.ts'
import { coseKey, signCose } from '../../test/sign.ts'
import type { PresentedCredential } from '../presentation.ts'
import { verifyMdoc } from './verify.ts'

const fixture = makeFixture()

const verify = (options?: MdocOptions): PresentedCredential =>
  verifyMdoc(presentMdoc(fixture, options), fixture.context)

describe('[OID4VP-26] what the device signed', () => {
  const signature = (change: Partial<Parameters<typeof signCose>[0]>): CborValue =>
    signCose({
      protected_header: new Map([[1, -7]]),
      payload: encodeCbor(
        wrapInTag24([
          'DeviceAuthentication',
          { encoded: buildTranscript(fixture) },
          typeNames.mdl,
          wrapInTag24(cborMap({})),
        ]),
      ),
      detached: true,
      key: fixture.holder,
      ...change,
    })

  test('a valid signature is accepted', () => {
    expect(verify({ device_auth: { deviceSignature: signature({}) } }).findings).toEqual([])
  })

  test('another key is refused', () => {
    const credential = verify({ device: makeKey() })
    expect(credential).toMatchObject({ trusted: true, signature_valid: true, holder_binding_valid: false })
    expect(listFailures(credential)).toEqual(['device_signature'])
  })

  test('another verification, client, URI or encryption key is refused', () => {
    for (const change of [
      { nonce: 'x' },
      { client_id: 'x' },
      { response_uri: 'x' },
      { encryption_key_thumbprint: 'xx' },
    ]) {
      const { context } = withBinding(fixture, { ...redirectBinding, ...change })
      expect(listFailures(verifyMdoc(presentMdoc(fixture), context))).toEqual(['device_signature'])
    }
  })

  test('a signature without the encryption key is refused if there was one', () => {
    const { encryption_key_thumbprint: _, ...unencrypted } = redirectBinding
    const other = withBinding(fixture, unencrypted)
    expect(listFailures(verifyMdoc(presentMdoc(other), fixture.context))).toEqual(['device_signature'])
    expect(listFailures(verifyMdoc(presentMdoc(fixture), other.context))).toEqual(['device_signature'])
    expect(listFailures(verifyMdoc(presentMdoc(other), other.context))).toEqual([])
  })

  test('a MAC fails with its own finding', () => {
    const mac = [encodeCbor(new Map([[1, 5]])), new Map(), null, Buffer.alloc(32)] as CborValue
    expect(listFailures(verify({ device_auth: { deviceMac: mac } }))).toEqual(['device_mac'])
    const both = { deviceMac: mac, deviceSignature: signature({}) }
    expect(listFailures(verify({ device_auth: both }))).toEqual(['device_mac'])
  })

  test('a missing signature or deviceSigned is refused', () => {
    expect(listFailures(verify({ device_auth: {} }))).toEqual(['device_signature'])
    expect(listFailures(verify({ without_device_signed: true }))).toEqual(['device_signature'])
  })

  test('a signature with an attached payload is unreadable', () => {
    const device_auth = { deviceSignature: signature({ detached: false }) }
    expect(listFailures(verify({ device_auth }))).toEqual(['credential_encoding'])
  })

  test('an algorithm that does not match the device key is refused', () => {
    for (const alg of [-35, -8, 5]) {
      const device_auth = { deviceSignature: signature({ protected_header: new Map([[1, alg]]) }) }
      expect(listFailures(verify({ device_auth }))).toEqual(['device_signature'])
    }
  })

  test('an unusable key is refused', () => {
    const device_key = new Map([...coseKey(fixture.holder), [-1, 8]])
    expect(listFailures(verify({ device_key }))).toEqual(['holder_key'])
  })
})

describe('[OID4VP-26] elements that the device adds', () => {
  const device_elements = { [mdlNameSpace]: { nickname: 'Eri' } }

  test('are accepted if the issuer allows the element or the namespace', () => {
    const allowed = [
      { dataElements: cborMap({ [mdlNameSpace]: ['nickname'] }) },
      { nameSpaces: [mdlNameSpace] },
    ]
    for (const key_authorizations of allowed) {
      const credential = verify({ device_elements, key_authorizations })
      expect(credential.findings).toEqual([])
      expect(credential.claims).toMatchObject({
        [mdlNameSpace]: { nickname: 'Eri', family_name: 'Mustermann' },
      })
    }
  })

  test('are refused otherwise, and not returned', () => {
    const others = [{ dataElements: cborMap({ [mdlNameSpace]: ['age'] }) }, { nameSpaces: ['other'] }]
    for (const key_authorizations of [undefined, ...others]) {
      const credential = verify({ device_elements, ...(key_authorizations && { key_authorizations }) })
      expect(listFailures(credential)).toEqual(['device_signed_elements'])
      expect(credential.holder_binding_valid).toBe(false)
      expect(credential.claims[mdlNameSpace]).not.toHaveProperty('nickname')
    }
  })

  test('never replace what the issuer signed', () => {
    const credential = verify({
      device_elements: { [mdlNameSpace]: { family_name: 'Other' } },
      key_authorizations: { nameSpaces: [mdlNameSpace] },
    })
    expect(listFailures(credential)).toEqual(['device_signed_elements'])
    expect(credential.claims).toMatchObject({ [mdlNameSpace]: { family_name: 'Mustermann' } })
  })
})
