import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { fixedNow, makeCertificate, makeKey, year_seconds, type KeyKind } from '../../test/certificates.ts'
import { makeFixture, redirectBinding, typeNames } from '../../test/fixture.ts'
import { listFailures } from '../../test/presented-credential.ts'
import { sdJwtIssuer, sdJwtVcPresentation } from '../../test/published-examples.ts'
import { digest, disclose, presentSdJwt, type SdJwtOptions } from '../../test/sd-jwt.ts'
import { encodeJson, publicJwk, signJws } from '../../test/sign.ts'
import { findJoseAlgorithm } from '../crypto/algorithms.ts'
import { readJws } from '../crypto/read-jws.ts'
import { readJwk } from '../crypto/read-public-key.ts'
import { verifySignature } from '../crypto/verify-signature.ts'
import type { PresentedCredential, VerificationContext } from '../presentation.ts'
import { verifySdJwt } from './verify.ts'

const fixture = makeFixture()

const verify = (options?: SdJwtOptions): PresentedCredential =>
  verifySdJwt(presentSdJwt(fixture, options), fixture.context)

describe('[OID4VP-20] [OID4VP-21] [OID4VP-22] [OID4VP-23] a valid presentation', () => {
  test('is accepted without findings', () => {
    expect(verify()).toMatchObject({
      format: 'dc+sd-jwt',
      doctype_or_vct: typeNames.vct,
      claims: { given_name: 'Erika', age: 42, vct: typeNames.vct },
      issuer: { common_name: 'Test Signer', country: 'UT' },
      trusted: true,
      signature_valid: true,
      holder_binding_valid: true,
      findings: [],
    })
  })

  test('may omit iss, nbf and exp', () => {
    expect(verify({ payload: { iss: undefined, nbf: undefined, exp: undefined } }).findings).toEqual([])
  })

  const brainpool: KeyKind[] = ['brainpoolP256r1', 'brainpoolP320r1', 'brainpoolP384r1', 'brainpoolP512r1']
  const kinds: KeyKind[] = ['P-256', 'P-384', 'P-521', ...brainpool, 'Ed25519']
  test.each(kinds)('may be signed and presented with a key on %s', (kind) => {
    const signer = makeCertificate({ issuer: fixture.authority, key: makeKey(kind) })
    const holder = makeKey(kind)
    const options = {
      signer,
      chain: [signer.der],
      proof: { key: holder },
      payload: { cnf: { jwk: publicJwk(holder) } },
    }
    expect(verify(options).findings).toEqual([])
  })

  test('refers to its entry in a status list', () => {
    const status_list = { idx: 7, uri: 'https://issuer.example/status/1' }
    expect(verify({ payload: { status: { status_list } } }).status_list).toEqual(status_list)
    expect(verify().status_list).toBeUndefined()
  })

  test('with another status mechanism has an unavailable status', () => {
    for (const status of [
      {},
      { identifier_list: {} },
      { status_list: { idx: -1, uri: 'https://a.example' } },
      'x',
    ]) {
      expect(listFailures(verify({ payload: { status } }))).toEqual(['status_list'])
    }
    for (const uri of ['http://issuer.example/1', 'ftp://x', 'https://', 7]) {
      expect(listFailures(verify({ payload: { status: { status_list: { idx: 0, uri } } } }))).toEqual([
        'status_list',
      ])
    }
  })
})

describe('[OID4VP-20] the issuer', () => {
  test.each(['vc+sd-jwt', 'JWT', 'dc+sd-jwt ', undefined])('another typ is refused: %s', (typ) => {
    expect(listFailures(verify({ header: { typ } }))).toEqual(['credential_encoding'])
  })

  test('a changed payload invalidates the signature', () => {
    const [jwt = '', ...rest] = presentSdJwt(fixture).split('~')
    const [header, , signature] = jwt.split('.')
    const { payload } = readJws(jwt)
    const forged = [header, encodeJson({ ...payload, age: 99 }), signature].join('.')
    const credential = verifySdJwt([forged, ...rest].join('~'), fixture.context)
    expect(credential.signature_valid).toBe(false)
    expect(listFailures(credential)).toContain('issuer_signature')
  })

  test('alg none is refused, with and without a signature', () => {
    const credential = verify({ header: { alg: 'none' } })
    expect(listFailures(credential)).toEqual(['issuer_algorithm'])
    expect(credential.signature_valid).toBe(false)
    const unsigned = presentSdJwt(fixture, { header: { alg: 'none' } }).replace(/\.[^.~]*~/, '.~')
    expect(listFailures(verifySdJwt(unsigned, fixture.context))).toContain('issuer_algorithm')
  })

  test('HS256 with the public key as the secret is refused', () => {
    const secret = fixture.signer.publicKey.export({ format: 'pem', type: 'spki' })
    const [jwt = '', ...rest] = presentSdJwt(fixture, { header: { alg: 'HS256' } }).split('~')
    const signed = jwt.slice(0, jwt.lastIndexOf('.'))
    const mac = createHmac('sha256', secret).update(signed).digest('base64url')
    expect(listFailures(verifySdJwt([`${signed}.${mac}`, ...rest].join('~'), fixture.context))).toContain(
      'issuer_algorithm',
    )
  })

  test('an algorithm that does not match the curve of the key is refused', () => {
    for (const alg of ['ES384', 'ES512', 'EdDSA']) {
      expect(listFailures(verify({ header: { alg } }))).toEqual(['issuer_algorithm'])
    }
  })

  test('an RSA signer is refused', () => {
    const signer = makeCertificate({ issuer: fixture.authority, key: makeKey('RSA') })
    expect(listFailures(verify({ signer, chain: [signer.der] }))).toEqual(['issuer_algorithm'])
  })

  test('a certificate of another root is not trusted, although the signature is valid', () => {
    const signer = makeCertificate()
    const credential = verify({ signer, chain: [signer.der] })
    expect(credential).toMatchObject({ trusted: false, signature_valid: true })
    expect(listFailures(credential)).toEqual(['issuer_trust'])
  })

  test('a trusted certificate with the signature of another key is refused', () => {
    const credential = verify({ signer: makeKey() })
    expect(credential).toMatchObject({ trusted: true, signature_valid: false })
    expect(listFailures(credential)).toEqual(['issuer_signature'])
  })

  test('without x5c the issuer is unknown; other key references are ignored', () => {
    const jwk = publicJwk(fixture.signer)
    const credential = verify({
      header: { x5c: undefined, jwk, jku: 'https://issuer.example/jwks', kid: '1' },
    })
    expect(credential).toMatchObject({ trusted: false, signature_valid: false })
    expect(listFailures(credential)).toEqual(['issuer_certificate'])
  })

  test('x5c that is not a list of base64 is refused', () => {
    for (const x5c of ['x', [7], ['-_8='], {}, Array.from({ length: 11 }, () => 'AAAA')]) {
      expect(listFailures(verify({ header: { x5c } }))).toEqual(['credential_encoding'])
    }
  })

  test('crit is refused', () => {
    expect(listFailures(verify({ header: { crit: ['b64'], b64: true } }))).toEqual(['credential_encoding'])
  })
})

describe('[OID4VP-21] disclosures', () => {
  test('a changed, added or repeated disclosure is refused, and no claim is returned', () => {
    const claims = { name: 'Erika' }
    const valid = disclose('name', 'Erika')
    for (const disclosures of [[disclose('name', 'Max')], [valid, disclose('extra', 1)], [valid, valid]]) {
      const credential = verify({ claims, disclosures })
      expect(listFailures(credential)).toEqual(['disclosures'])
      expect(credential.claims).toEqual({})
    }
  })

  test('vct, cnf and exp are read from the signed payload, never from a disclosure', () => {
    const holder = makeKey()
    const hidden = disclose('cnf', { jwk: publicJwk(holder) })
    const payload = { cnf: undefined, _sd: [digest(hidden)] }
    const credential = verify({ payload, disclosures: [hidden], proof: { key: holder } })
    expect(listFailures(credential)).toEqual(['disclosures', 'holder_key'])
  })
})

describe('[OID4VP-22] validity, with 60 seconds of clock skew', () => {
  test.each([
    ['exp', 'just expired', { exp: fixedNow - 60 }, false],
    ['exp', 'within the skew', { exp: fixedNow - 59 }, true],
    ['nbf', 'within the skew', { nbf: fixedNow + 60 }, true],
    ['nbf', 'not valid yet', { nbf: fixedNow + 61 }, false],
    ['exp', 'a year ago', { exp: fixedNow - year_seconds }, false],
    ['nbf', 'in a year', { nbf: fixedNow + year_seconds }, false],
  ])('%s %s', (_, __, payload, accepted) => {
    expect(listFailures(verify({ payload }))).toEqual(accepted ? [] : ['credential_validity'])
  })

  test('exp and nbf must be numbers', () => {
    for (const payload of [{ exp: '2030-01-01' }, { nbf: null }, { exp: [] }]) {
      expect(listFailures(verify({ payload }))).toEqual(['credential_encoding'])
    }
  })
})

describe('[OID4VP-22] cnf', () => {
  const jwk = publicJwk(fixture.holder)
  test.each([
    ['is missing', undefined],
    ['has no jwk', { kid: '1' }],
    ['has a private key', { jwk: { ...jwk, d: 'AAAA' } }],
    ['has a symmetric key', { jwk: { kty: 'oct', k: 'AAAA' } }],
    ['has a point that is not on the curve', { jwk: { ...jwk, x: jwk['y'] } }],
  ])('that %s is refused', (_, cnf) => {
    const credential = verify({ payload: { cnf } })
    expect(listFailures(credential)).toEqual(['holder_key'])
    expect(credential.holder_binding_valid).toBe(false)
  })
})

test('[OID4VP-22] cnf.jwk may have other members', () => {
  const jwk = { ...publicJwk(fixture.holder), kid: '1', use: 'sig', alg: 'ES256', key_ops: ['verify'] }
  expect(verify({ payload: { cnf: { jwk } } })).toMatchObject({ holder_binding_valid: true, findings: [] })
})

describe('[OID4VP-16] aka_vcts', () => {
  const payload = { vct: 'urn:example:national', aka_vcts: ['urn:example:other', typeNames.vct] }
  const contextFor = (requested_types: string[], document_types?: string[]) => ({
    ...fixture.context,
    requested_types,
    trust: {
      ...fixture.context.trust,
      anchors: [{ certificate: fixture.authority.der, ...(document_types && { document_types }) }],
    },
  })
  const verifyAs = (context: VerificationContext) => verifySdJwt(presentSdJwt(fixture, { payload }), context)

  test('names further types, one of which the anchor is trusted for', () => {
    const credential = verifyAs(contextFor([typeNames.vct], [typeNames.vct]))
    expect(credential).toMatchObject({
      doctype_or_vct: payload.vct,
      document_types: [typeNames.vct],
      findings: [],
    })
  })

  test('is ignored if the anchor is trusted only for another of its types', () => {
    expect(listFailures(verifyAs(contextFor([typeNames.vct], [payload.vct])))).toEqual([
      'issuer_document_type',
    ])
  })

  test('is not needed if its own type or any type was requested', () => {
    for (const requested of [[payload.vct], ['urn:not:this', payload.vct], []]) {
      expect(verifyAs(contextFor(requested, [payload.vct])).findings).toEqual([])
    }
  })

  test.each([['text'], [[1]], [['']], [{}], [null], [Array.from({ length: 51 }, () => 'urn:x')]])(
    'must be a list of types, not %j',
    (aka_vcts) => {
      expect(listFailures(verify({ payload: { aka_vcts } }))).toEqual(['credential_encoding'])
    },
  )
})

describe('[OID4VP-20] input that is not an SD-JWT is unreadable', () => {
  test.each([
    ['empty', ''],
    ['tildes', '~~~~'],
    ['a JWT without a tilde', signJws({}, {}, makeKey())],
    ['a million tildes', '~'.repeat(1024 * 1024)],
    ['larger than a response may be', 'a'.repeat(1024 * 1024 + 1)],
    ['a payload that is not an object', `${encodeJson({ typ: 'dc+sd-jwt' })}.${encodeJson([])}.AA~`],
    ['a header that is not UTF-8', `${Buffer.from('{"a":"\xff"}', 'latin1').toString('base64url')}.e30.AA~`],
    ['no vct', signJws({ typ: 'dc+sd-jwt' }, {}, makeKey()).concat('~')],
  ])('%s', (_, presentation) => {
    const credential = verifySdJwt(presentation, fixture.context)
    expect(listFailures(credential)).toEqual(['credential_encoding'])
    expect(credential).toMatchObject({
      trusted: false,
      signature_valid: false,
      holder_binding_valid: false,
      claims: {},
    })
  })

  test('more than 500 disclosures', () => {
    const claims = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`claim_${index}`, index]))
    expect(listFailures(verify({ claims }))).toEqual(['credential_encoding'])
  })
})

test('[OID4VP-20] [OID4VP-21] [OID4VP-22] [OID4VP-23] verifies the signature, disclosures and key binding of the SD-JWT VC example', () => {
  const request = {
    ...fixture.context.request,
    binding: { ...redirectBinding, client_id: 'https://example.com/verifier', nonce: '1234567890' },
    created_at: 1731530704,
  }
  const credential = verifySdJwt(sdJwtVcPresentation, { ...fixture.context, request, now: 1731530704 })
  expect(credential.claims).toMatchObject({ is_over_65: true, address: { locality: 'Anytown' } })
  expect(credential.holder_binding_valid).toBe(true)
  // It names its key by kid, which is not accepted here; the key is printed in the specification.
  expect(listFailures(credential)).toEqual(['issuer_certificate'])
  const { header, signed, signature } = readJws(sdJwtVcPresentation.split('~')[0] ?? '')
  const algorithm = findJoseAlgorithm(header['alg'])
  expect(algorithm && verifySignature(algorithm, readJwk(sdJwtIssuer), signed, signature)).toBe(true)
})
