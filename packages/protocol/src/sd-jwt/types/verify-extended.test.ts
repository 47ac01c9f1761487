import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { makeCertificate } from '../../../test/certificates.ts'
import { makeContext, makeFixture, typeNames } from '../../../test/fixture.ts'
import { listFailures } from '../../../test/presented-credential.ts'
import { presentSdJwt } from '../../../test/sd-jwt.ts'
import type { Anchor, TypeReference, VerificationContext } from '../../presentation.ts'
import { maxTypeSteps } from './find-extended-types.ts'
import { isIntegrity, matchesIntegrity } from './integrity.ts'
import { maxTypeMetadata_bytes, readTypeMetadata } from './read-type-metadata.ts'
import { verifyExtendedSdJwt } from './verify-extended.ts'

const fixture = makeFixture()
const integrityOf = (document: Uint8Array, algorithm = 'sha256'): string =>
  `${algorithm}-${createHash(algorithm).update(document).digest('base64')}`
const national = 'https://types.example/national'

/** Documents of a chain of types: each names the hash of the next. The last extends the requested type. */
function makeChain(length: number, extended: string = typeNames.vct) {
  const documents = new Map<string, Buffer>()
  let next: { uri: string; integrity?: string } = { uri: extended }
  for (let step = length - 1; step >= 0; step -= 1) {
    const uri = step === 0 ? national : `${national}/${step}`
    const members = { extends: next.uri, ...(next.integrity && { 'extends#integrity': next.integrity }) }
    const document = Buffer.from(JSON.stringify({ vct: uri, ...members }))
    documents.set(uri, document)
    next = { uri, integrity: integrityOf(document) }
  }
  return { documents, integrity: next.integrity ?? '' }
}

type VerifyOptions = {
  documents?: Map<string, Uint8Array>
  payload?: Record<string, unknown>
  anchors?: Anchor[]
  requested?: string[]
  signer?: typeof fixture.signer
}

async function verify({ documents = new Map(), payload, signer, ...options }: VerifyOptions) {
  const { anchors = [{ certificate: fixture.authority.der, document_types: [typeNames.vct] }] } = options
  const base = makeContext(anchors)
  let lookups = 0
  const lookUpType = async (reference: TypeReference) => {
    lookups += 1
    const document = documents.get(reference.uri)
    return document && readTypeMetadata(document, reference)
  }
  const context: VerificationContext = {
    ...base,
    requested_types: options.requested ?? [typeNames.vct],
    trust: { ...base.trust, lookUpType },
  }
  const presentation = presentSdJwt(
    { ...fixture, ...(signer && { signer }) },
    { payload: { vct: national, ...payload } },
  )
  const credential = await verifyExtendedSdJwt(presentation, context)
  return { credential, failures: listFailures(credential), lookups }
}

describe('a type that extends the requested one', () => {
  test.each([1, 2, maxTypeSteps])(
    'over %i descriptions is accepted as the requested type',
    async (length) => {
      const { documents, integrity } = makeChain(length)
      const { credential, failures, lookups } = await verify({
        documents,
        payload: { 'vct#integrity': integrity },
      })
      expect([failures, lookups]).toEqual([[], length])
      expect(credential).toMatchObject({
        doctype_or_vct: national,
        document_types: [typeNames.vct],
        trusted: true,
        signature_valid: true,
      })
    },
  )

  test('is found without a lookup if vct or aka_vcts name the requested type', async () => {
    const { integrity } = makeChain(1)
    const payload = { aka_vcts: [typeNames.vct], 'vct#integrity': integrity }
    expect(await verify({ payload })).toMatchObject({ failures: [], lookups: 0 })
    const requested = [national, typeNames.vct]
    const anchors = [{ certificate: fixture.authority.der }]
    expect(await verify({ payload: { 'vct#integrity': integrity }, requested, anchors })).toMatchObject({
      failures: [],
      lookups: 0,
    })
  })

  test('may be requested itself, and what it extends does not matter then', async () => {
    const base = 'https://types.example/base'
    const { documents, integrity } = makeChain(2, base)
    const payload = { 'vct#integrity': integrity }
    const anchors = [{ certificate: fixture.authority.der, document_types: [`${national}/1`] }]
    expect(await verify({ documents, payload, anchors, requested: [`${national}/1`] })).toMatchObject({
      failures: [],
      lookups: 1,
    })
  })

  const chain = makeChain(2)
  const payload = { 'vct#integrity': chain.integrity }
  const altered = (uri: string, change: (text: string) => string) =>
    new Map(
      [...chain.documents].map(([each, text]) => [
        each,
        each === uri ? Buffer.from(change(String(text))) : text,
      ]),
    )
  const typeFails = { failures: ['credential_type'] }

  test.each<[string, VerifyOptions]>([
    ['whose description is unavailable', { payload }],
    [
      'of which a further description is unavailable',
      { payload, documents: altered(`${national}/1`, () => '') },
    ],
    ['whose description was altered', { payload, documents: altered(national, (text) => `${text} `) }],
    [
      'of which a further description was altered',
      { payload, documents: altered(`${national}/1`, (text) => `${text} `) },
    ],
    [
      'that extends another',
      {
        payload,
        documents: chain.documents,
        requested: ['urn:example:other'],
        anchors: [{ certificate: fixture.authority.der }],
      },
    ],
  ])('%s is refused', async (_, options) => {
    expect(await verify(options)).toMatchObject(typeFails)
  })

  test(`over more than ${maxTypeSteps} descriptions is refused`, async () => {
    const { documents, integrity } = makeChain(maxTypeSteps + 1)
    expect(await verify({ documents, payload: { 'vct#integrity': integrity } })).toMatchObject({
      ...typeFails,
      lookups: maxTypeSteps,
    })
  })

  test('that names the next description without its hash is followed no further', async () => {
    const first = Buffer.from(JSON.stringify({ vct: national, extends: `${national}/1` }))
    const documents = new Map([...chain.documents, [national, first]])
    const result = await verify({ documents, payload: { 'vct#integrity': integrityOf(first) } })
    expect(result).toMatchObject({ ...typeFails, lookups: 1 })
  })

  test('is not looked up unless signature, trust and the requested type hold', async () => {
    const { documents } = chain
    const untrusted = makeCertificate({ issuer: makeCertificate({ authority: true }) })
    const otherTypes = [{ certificate: fixture.authority.der, document_types: [national] }]
    for (const options of [
      { signer: untrusted },
      { anchors: otherTypes },
      { payload: { ...payload, exp: 1 } },
      { payload: { ...payload, cnf: undefined } },
      { payload: { 'vct#integrity': undefined } },
      { payload: { 'vct#integrity': 'md5-AAAA' } },
      { payload: { ...payload, vct: 'http://types.example/national' } },
      { payload: { ...payload, vct: 'urn:example:national' } },
    ])
      expect(await verify({ documents, payload, ...options })).toMatchObject({ lookups: 0 })
    expect(await verify({ documents, payload, anchors: otherTypes })).toMatchObject({
      credential: { document_types: [national], trusted: true },
    })
  })
})

describe('a description of a type', () => {
  const read = (members: unknown, reference?: Partial<TypeReference>) => {
    const document = Buffer.from(typeof members === 'string' ? members : JSON.stringify(members))
    return readTypeMetadata(document, { uri: national, integrity: integrityOf(document), ...reference })
  }

  test('says what the type extends, if anything', () => {
    expect(read({ vct: national })).toEqual({ value: {} })
    expect(read({ vct: national, extends: 'urn:x', 'extends#integrity': 'none' })).toEqual({
      value: { extends: 'urn:x' },
    })
    const integrity = integrityOf(Buffer.from(''))
    expect(read({ vct: national, extends: 'urn:x', 'extends#integrity': integrity })).toEqual({
      value: { extends: 'urn:x', extends_integrity: integrity },
    })
  })

  test.each([
    ['of another type', { vct: 'https://types.example/other' }, 'another type'],
    ['of no type', {}, 'another type'],
    ['that extends a number', { vct: national, extends: 7 }, 'not a URI'],
    ['that extends too long a type', { vct: national, extends: 'x'.repeat(2049) }, 'not a URI'],
    ['that is a list', [], 'not a JSON object'],
    ['that is not JSON', '{', 'not a JSON object'],
    ['that is too large', 'x'.repeat(maxTypeMetadata_bytes + 1), 'too large'],
  ])('%s is refused', (_, members, why) => {
    expect(read(members)).toEqual({ error: expect.stringContaining(why) })
  })

  test('that is not UTF-8 is refused', () => {
    const document = Buffer.from('{"vct":"\xff"}', 'latin1')
    expect(readTypeMetadata(document, { uri: national, integrity: integrityOf(document) })).toMatchObject({
      error: expect.any(String),
    })
  })
})

describe('integrity metadata', () => {
  const bytes = Buffer.from('a description')
  const [weak, strong] = [integrityOf(bytes), integrityOf(bytes, 'sha512')]
  const wrong = integrityOf(Buffer.from('another'), 'sha512')

  test.each([
    ['a hash', weak, true],
    ['a hash with options', `${weak}?ct=application/json`, true],
    ['a hash in base64url', weak.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''), true],
    ['hashes, of which the strongest counts', `${weak} ${strong}`, true],
    ['a wrong hash that is stronger than the right one', `${weak} ${wrong}`, false],
    ['several of the strongest, one of which matches', `${wrong}  ${strong}`, true],
    ['the hash of something else', wrong, false],
    ['half a hash', weak.slice(0, 20), false],
    ['a hash of an unknown algorithm', 'sha1-AAAA', false],
    ['nothing', '', false],
  ])('with %s', (_, integrity, matches) => {
    expect(matchesIntegrity(bytes, integrity)).toBe(matches)
  })

  test('is recognised', () => {
    expect([weak, 'sha256-', 'x', '', 7, undefined, `${'x'.repeat(500)} ${weak}`].map(isIntegrity)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ])
  })
})
