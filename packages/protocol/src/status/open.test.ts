import { inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { makeCertificate } from '../../test/certificates.ts'
import { statusListCwt, statusListIssuer, statusListJwt } from '../../test/published-examples.ts'
import { makeListCwt, makeListJwt } from '../../test/status-list.ts'
import { readJwk } from '../crypto/read-public-key.ts'
import { verifySignature } from '../crypto/verify-signature.ts'
import { openStatusList, readEntry } from './open.ts'
import { readToken } from './read-token.ts'

const signer = makeCertificate()
const openError = (token: Parameters<typeof openStatusList>[0]): string => {
  const opened = openStatusList(token)
  return 'error' in opened ? opened.error : ''
}

describe('[OID4VP-30] the lists of the specification', () => {
  test('one bit per entry: b9 a3', () => {
    const bytes = inflateSync(Buffer.from('78dadbb918000217015d', 'hex'))
    expect(bytes.toString('hex')).toBe('b9a3')
    const entries = Array.from({ length: 16 }, (_, idx) => readEntry({ bits: 1, bytes }, idx))
    expect(entries).toEqual([1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1])
    expect(readEntry({ bits: 1, bytes }, 16)).toBeUndefined()
  })

  test('two bits per entry: c9 44 f9', () => {
    const bytes = inflateSync(Buffer.from('eNo76fITAAPfAgc', 'base64url'))
    const entries = Array.from({ length: 12 }, (_, idx) => readEntry({ bits: 2, bytes }, idx))
    expect(entries).toEqual([1, 2, 0, 3, 0, 1, 0, 1, 1, 2, 3, 3])
    expect(readEntry({ bits: 2, bytes }, 12)).toBeUndefined()
  })

  test('four and eight bits per entry', () => {
    const bytes = Buffer.from([0x21, 0xf3])
    expect([0, 1, 2, 3].map((idx) => readEntry({ bits: 4, bytes }, idx))).toEqual([1, 2, 3, 15])
    expect([0, 1, 2].map((idx) => readEntry({ bits: 8, bytes }, idx))).toEqual([0x21, 0xf3, undefined])
  })

  test.each([
    ['JWT', { token: statusListJwt, media: 'jwt' as const }],
    ['CWT', { token: statusListCwt, media: 'cwt' as const }],
  ])('as %s', (_, token) => {
    const { algorithm, signed, signature, compressed, ...list } = readToken(token)
    expect(list).toMatchObject({
      uri: 'https://example.com/statuslists/1',
      issued_at: 1686920170,
      expires_at: 2291720170,
      ttl_seconds: 43200,
      bits: 1,
    })
    expect(inflateSync(compressed).toString('hex')).toBe('b9a3')
    expect(algorithm && verifySignature(algorithm, readJwk(statusListIssuer), signed, signature)).toBe(true)
  })
})

describe('[OID4VP-30] a token is opened', () => {
  test('in both forms, once for as long as the caller keeps it', () => {
    for (const token of [makeListJwt(signer), makeListCwt(signer)]) {
      const opened = openStatusList(token)
      expect(opened).toMatchObject({ value: { bits: 1, ttl_seconds: 600 } })
      expect(openStatusList(token)).toBe(opened)
    }
  })

  test('from the received bytes as well', () => {
    const { token } = makeListJwt(signer)
    expect(openError({ token: Buffer.from(`${String(token)}\n`), media: 'jwt' })).toBe('')
  })

  test.each([
    ['with the signature of another key', makeListJwt(signer, { key: makeCertificate() }), 'signature'],
    [
      'as CWT with the signature of another key',
      makeListCwt(signer, { key: makeCertificate() }),
      'signature',
    ],
    ['with alg none', makeListJwt(signer, { header: { alg: 'none' } }), 'algorithm'],
    ['with the algorithm of another curve', makeListJwt(signer, { header: { alg: 'ES384' } }), 'signature'],
    ['of another typ', makeListJwt(signer, { header: { typ: 'JWT' } }), 'typ'],
    ['with crit', makeListJwt(signer, { header: { crit: ['x'] } }), 'extension'],
    ['without x5c', makeListJwt(signer, { header: { x5c: undefined } }), 'certificate'],
    ['without sub', makeListJwt(signer, { payload: { sub: undefined } }), 'sub'],
    ['without iat', makeListJwt(signer, { payload: { iat: undefined } }), 'iat'],
    ['with an exp that is text', makeListJwt(signer, { payload: { exp: 'soon' } }), 'exp'],
    ['without a list', makeListJwt(signer, { payload: { status_list: undefined } }), 'no status list'],
    ['with three bits per entry', makeListJwt(signer, { bits: 3 }), 'bits'],
    [
      'with a list that is not compressed',
      makeListJwt(signer, { payload: { status_list: { bits: 1, lst: 'AAAA' } } }),
      'decompressed',
    ],
    ['that is not a JWT', { token: 'nonsense', media: 'jwt' as const }, 'three parts'],
    ['that is not CBOR', { token: Buffer.from('nonsense'), media: 'cwt' as const }, ''],
    ['that is text instead of CBOR', { token: 'nonsense', media: 'cwt' as const }, 'CBOR'],
    ['of more than 8 MiB', { token: 'a'.repeat(8 * 1024 * 1024 + 1), media: 'jwt' as const }, 'too large'],
  ])('but not %s', (_, token, why) => {
    expect(openError(token)).not.toBe('')
    expect(openError(token)).toContain(why)
  })

  test('but not if it would decompress to more than 16 MiB', () => {
    const inflated = makeListJwt(signer, { bytes: Buffer.alloc(16 * 1024 * 1024 + 1) })
    expect(String(inflated.token).length).toBeLessThan(40_000)
    expect(openError(inflated)).toContain('16 MiB')
    expect(openError(makeListJwt(signer, { bytes: Buffer.alloc(16 * 1024 * 1024) }))).toBe('')
  })
})

test('[OID4VP-30] reading from a list of 8 million entries reads one byte of 1 MiB', () => {
  const entries = 8 * 1024 * 1024
  const bytes = Buffer.alloc(entries / 8)
  bytes[bytes.length - 1] = 0x80
  const opened = openStatusList(makeListJwt(signer, { bytes }))
  if ('error' in opened) throw new Error(opened.error)
  expect(opened.value.bytes.byteLength).toBe(1024 * 1024)

  const reads: string[] = []
  const counted = new Proxy(opened.value.bytes, {
    get(target, name) {
      reads.push(String(name))
      return Reflect.get(target, name)
    },
  })
  expect(readEntry({ bits: 1, bytes: counted }, entries - 1)).toBe(1)
  expect(reads).toEqual([String(bytes.length - 1)])
  expect(readEntry(opened.value, entries - 2)).toBe(0)
})
