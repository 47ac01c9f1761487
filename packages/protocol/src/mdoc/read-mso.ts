import { expectArray, expectEncodedCbor, expectMap, expectText, isTagged } from '../cbor/expect.ts'
import { readCbor, type Cbor, type CborMap } from '../cbor/read.ts'
import { InputError } from '../input-error.ts'
import type { Json } from '../json.ts'
import { toJson } from './to-json.ts'

/** The mobile security object: what the issuer signed (ISO/IEC 18013-5 §9.1.2.4). */
export type Mso = {
  doc_type: string
  /** Its `node:crypto` name. */
  digest_algorithm: string
  /** Namespace, then digest id. */
  value_digests: CborMap
  device_key: CborMap
  key_authorizations: KeyAuthorizations
  /** Seconds since 1970. */
  validity: { signed: number; valid_from: number; valid_until: number }
  status?: Json
  /** The identifier in `status.identifier_list`, if it is a byte string, as ISO/IEC 18013-5 (second edition) §12.3.6 requires. */
  status_identifier?: Uint8Array
}

/** What the issuer lets the device sign: whole namespaces, or single elements. */
export type KeyAuthorizations = { name_spaces: Cbor[]; elements: CborMap }

const digestAlgorithms: ReadonlyMap<Cbor, string> = new Map([
  ['SHA-256', 'sha256'],
  ['SHA-384', 'sha384'],
  ['SHA-512', 'sha512'],
])

/** Throws an InputError. */
export function readMso(payload: Uint8Array): Mso {
  const mso = expectMap(readCbor(expectEncodedCbor(readCbor(payload), 'the MSO').content), 'the MSO')
  expectVersion(mso.get('version'), 'the MSO')
  const digest_algorithm = digestAlgorithms.get(mso.get('digestAlgorithm'))
  if (digest_algorithm === undefined) throw new InputError('the digest algorithm of the MSO is not accepted')

  const keyInfo = expectMap(mso.get('deviceKeyInfo'), 'deviceKeyInfo')
  const status = mso.get('status')
  const status_identifier = findStatusIdentifier(status)
  return {
    doc_type: expectText(mso.get('docType'), 'the docType of the MSO'),
    digest_algorithm,
    value_digests: expectMap(mso.get('valueDigests'), 'valueDigests'),
    device_key: expectMap(keyInfo.get('deviceKey'), 'deviceKey'),
    key_authorizations: readKeyAuthorizations(keyInfo.get('keyAuthorizations')),
    validity: readValidity(expectMap(mso.get('validityInfo'), 'validityInfo')),
    ...(status !== undefined && { status: toJson(status) }),
    ...(status_identifier && { status_identifier }),
  }
}

/** Minor versions are compatible, major versions are not. */
export function expectVersion(version: Cbor, name: string): void {
  if (!/^1\.\d{1,3}$/.test(expectText(version, `the version of ${name}`))) {
    throw new InputError(`the version of ${name} is not 1.x`)
  }
}

/** Returns the digest that the issuer signed for one element. */
export function findDigest(
  { value_digests }: Mso,
  nameSpace: string,
  digestId: number,
): Uint8Array | undefined {
  const digests = value_digests.get(nameSpace)
  const digest = digests instanceof Map ? digests.get(digestId) : undefined
  return digest instanceof Uint8Array ? digest : undefined
}

function findStatusIdentifier(status: Cbor): Uint8Array | undefined {
  const list = status instanceof Map ? status.get('identifier_list') : undefined
  const id = list instanceof Map ? list.get('id') : undefined
  return id instanceof Uint8Array ? id : undefined
}

function readKeyAuthorizations(value: Cbor): KeyAuthorizations {
  if (value === undefined) return { name_spaces: [], elements: new Map() }
  const authorizations = expectMap(value, 'keyAuthorizations')
  return {
    name_spaces: expectArray(authorizations.get('nameSpaces') ?? [], 'the nameSpaces of keyAuthorizations'),
    elements: expectMap(
      authorizations.get('dataElements') ?? new Map(),
      'the dataElements of keyAuthorizations',
    ),
  }
}

function readValidity(info: CborMap): Mso['validity'] {
  return {
    signed: readTime(info.get('signed'), 'signed'),
    valid_from: readTime(info.get('validFrom'), 'validFrom'),
    valid_until: readTime(info.get('validUntil'), 'validUntil'),
  }
}

const dateTimePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

/** A tdate: tag 0 around RFC 3339 text. */
function readTime(value: Cbor, name: string): number {
  const text = isTagged(value) && value.tag === 0 ? value.value : undefined
  const time = typeof text === 'string' && dateTimePattern.test(text) ? Date.parse(text) / 1000 : NaN
  if (Number.isNaN(time)) throw new InputError(`${name} is not a date and time`)
  return time
}
