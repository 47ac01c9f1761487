import { randomBytes } from 'node:crypto'
import type { StatusListToken } from '../src/presentation.ts'
import { cborMap, encodeCbor } from './cbor.ts'
import { makeCertificate } from './certificates.ts'
import type { CredentialFixture } from './fixture.ts'
import { issuerSignedItem, presentMdoc } from './mdoc.ts'
import { digest, disclose, presentSdJwt } from './sd-jwt.ts'
import { makeListCwt, makeListJwt } from './status-list.ts'

/** Input that is small to send but expensive to read without bounds: a presentation, or the status list of a valid one. */
export type ResourceAttack = (
  fixture: CredentialFixture,
) => { presentation: string } | { list: StatusListToken }

const mebibyte = 1024 * 1024
const mdoc = (bytes: Uint8Array) => ({ presentation: Buffer.from(bytes).toString('base64url') })
const sdJwt = (presentation: string) => ({ presentation })

export const resourceAttacks: Record<string, ResourceAttack> = {
  'nested CBOR arrays': () => mdoc(Buffer.alloc(mebibyte, 0x81)),
  'nested CBOR maps': () => mdoc(Buffer.alloc(mebibyte, 0xa1)),
  'nested CBOR tags': () => mdoc(Buffer.alloc(mebibyte, 0xc0)),
  'unterminated CBOR arrays': () => mdoc(Buffer.alloc(mebibyte, 0x9f)),
  'a CBOR array that announces 4 billion elements': () =>
    mdoc(Buffer.concat([Buffer.from('9affffffff', 'hex'), Buffer.alloc(mebibyte)])),
  'a CBOR map that announces 4 billion entries': () =>
    mdoc(Buffer.concat([Buffer.from('baffffffff', 'hex'), Buffer.alloc(mebibyte)])),
  'a CBOR string in a million chunks': () =>
    mdoc(Buffer.concat([Buffer.from([0x5f]), Buffer.alloc(mebibyte, 0x40)])),
  'a CBOR map of 10,000 keys': () =>
    mdoc(encodeCbor(new Map(Array.from({ length: 9_999 }, (_, key) => [key, key])))),
  'CBOR encoded in CBOR, 60 levels': () => mdoc(wrapRepeatedly(Buffer.alloc(1), 60)),
  '500 elements of 2,200 items each': (fixture) => {
    const value = Array.from({ length: 2_200 }, () => 0)
    const items = Array.from({ length: 500 }, (_, id) => issuerSignedItem(id, `element_${id}`, value))
    return { presentation: presentMdoc(fixture, { change_items: () => items }) }
  },
  '2 MiB of zeros as an mdoc': () => mdoc(Buffer.alloc(2 * mebibyte)),
  '2 MiB of one character as an SD-JWT': () => sdJwt(`${'A'.repeat(2 * mebibyte)}~`),
  'a mebibyte of tildes': () => sdJwt('~'.repeat(mebibyte)),
  'a mebibyte of full stops': () => sdJwt(`${'.'.repeat(mebibyte - 1)}~`),
  'nested JSON arrays': (fixture) =>
    sdJwt(presentSdJwt(fixture).replace(/\.[^.]+/, () => `.${deepPayload()}`)),
  '500 nested disclosures': (fixture) => {
    const disclosures = [disclose('inner', 'x')]
    for (let depth = 1; depth < 500; depth += 1) {
      disclosures.push(disclose('inner', { _sd: [digest(disclosures.at(-1) ?? '')] }))
    }
    return sdJwt(presentSdJwt(fixture, { payload: { _sd: [digest(disclosures.at(-1) ?? '')] }, disclosures }))
  },
  '15,000 digests': (fixture) => {
    const digests = Array.from({ length: 15_000 }, (_, index) => digest(String(index)))
    return sdJwt(presentSdJwt(fixture, { payload: { _sd: digests }, disclosures: [] }))
  },
  '50,000 claims': (fixture) => {
    const payload = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`c${index}`, index]))
    return sdJwt(presentSdJwt(fixture, { payload }))
  },
  'a chain of 100 certificates in x5c': (fixture) =>
    sdJwt(presentSdJwt(fixture, { chain: manyCertificates(fixture, 100) })),
  'a chain of 100 certificates in x5chain': (fixture) => ({
    presentation: presentMdoc(fixture, { chain: manyCertificates(fixture, 100) }),
  }),
  'ten certificates of 64 KiB': (fixture) =>
    sdJwt(presentSdJwt(fixture, { chain: Array.from({ length: 10 }, () => Buffer.alloc(64 * 1024, 0x30)) })),
  'a status list of 8 M entries': ({ signer }) => ({
    list: makeListJwt(signer, { bytes: lastValid(randomBytes(mebibyte)) }),
  }),
  'a status list of 8 M entries of 8 bits, as CWT': ({ signer }) => ({
    list: makeListCwt(signer, { bits: 8, bytes: sparse(8 * mebibyte) }),
  }),
  'a status list that inflates to 128 MiB': ({ signer }) => ({
    list: makeListJwt(signer, { bytes: Buffer.alloc(128 * mebibyte) }),
  }),
  'an invalid status list of 8 MiB': () => ({ list: { token: 'A'.repeat(8 * mebibyte), media: 'jwt' } }),
}

function wrapRepeatedly(bytes: Buffer, times: number): Buffer {
  return times === 0
    ? bytes
    : wrapRepeatedly(encodeCbor(cborMap({ a: { tag: 24, value: bytes } })), times - 1)
}

function deepPayload(): string {
  const depth = 200_000
  return Buffer.from(`{"vct":"x","deep":${'['.repeat(depth)}${']'.repeat(depth)}}`).toString('base64url')
}

/** All different, because a repeated certificate would be cached. */
function manyCertificates({ authority, signer }: CredentialFixture, count: number): Buffer[] {
  const others = Array.from(
    { length: count - 1 },
    () => makeCertificate({ issuer: authority, key: signer }).der,
  )
  return [signer.der, ...others]
}

/** Clears the last entry, which is the one that is read. */
function lastValid(bytes: Buffer): Buffer {
  bytes[bytes.length - 1] = 0
  return bytes
}

/** Compresses well, but not trivially. */
function sparse(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length; at += 97) bytes[at] = at & 0xff
  return bytes
}
