import { InputError } from '../input-error.ts'
import { derTags, readChildren, readDer, readOid, readSmallInteger, type DerElement } from './read-der.ts'

/** The extensions of a certificate that path validation uses (RFC 5280 §4.2). */
export type Extensions = {
  /** Basic constraints: a certification authority. */
  authority: boolean
  path_length?: number
  /** Key usage; absent means unrestricted. */
  usage?: {
    digital_signature: boolean
    non_repudiation: boolean
    certificate_sign: boolean
    crl_sign: boolean
  }
  /** Extended key usage; absent means unrestricted. */
  purposes?: { critical: boolean; oids: string[] }
  /** Base64url, as DCQL compares it (OpenID4VP 1.0 §6.1.1.1). */
  authority_key_id?: string
  /**
   * Where the revocation list for this certificate is published, http and https only. Absent if the certificate names no place;
   * empty if it names only places that are not supported.
   */
  crl_uris?: string[]
  /** Where an OCSP responder is asked about this certificate, in the same way. */
  ocsp_uris?: string[]
  /** The certificate of an OCSP responder that is not to be looked up itself (RFC 6960 §4.2.2.2.1). */
  ocsp_no_check?: true
  /** OIDs of unsupported critical extensions. A certificate with any must be refused. */
  unknown_critical: string[]
}

const oids = {
  key_usage: '2.5.29.15',
  subject_alternative_name: '2.5.29.17',
  basic_constraints: '2.5.29.19',
  crl_distribution_points: '2.5.29.31',
  certificate_policies: '2.5.29.32',
  authority_key_id: '2.5.29.35',
  extended_key_usage: '2.5.29.37',
  authority_information_access: '1.3.6.1.5.5.7.1.1',
  ocsp_no_check: '1.3.6.1.5.5.7.48.1.5',
} as const

/**
 * Critical extensions that are accepted. Policies and alternative names have no effect, since no policy is required and
 * name constraints, which are critical, are refused.
 */
const supportedCriticalOids: ReadonlySet<string> = new Set([
  oids.key_usage,
  oids.basic_constraints,
  oids.extended_key_usage,
  oids.subject_alternative_name,
  oids.certificate_policies,
  oids.crl_distribution_points,
])

export function readExtensions(list: DerElement | undefined): Extensions {
  const read: Extensions = { authority: false, unknown_critical: [] }
  const seen = new Set<string>()
  for (const extension of list === undefined ? [] : readChildren(list)) {
    const { oid, critical, value } = readExtension(extension)
    if (seen.has(oid)) throw new InputError('a certificate has a duplicate extension')
    seen.add(oid)
    if (critical && !supportedCriticalOids.has(oid)) read.unknown_critical.push(oid)

    if (oid === oids.basic_constraints) Object.assign(read, readBasicConstraints(value))
    if (oid === oids.key_usage) read.usage = readKeyUsage(value)
    if (oid === oids.extended_key_usage) read.purposes = { critical, oids: readPurposes(value) }
    if (oid === oids.crl_distribution_points) read.crl_uris = readDistributionPoints(value)
    if (oid === oids.authority_information_access) Object.assign(read, readInformationAccess(value))
    if (oid === oids.ocsp_no_check) read.ocsp_no_check = true
    if (oid === oids.authority_key_id) Object.assign(read, readAuthorityKeyId(value))
  }
  return read
}

export type RawExtension = { oid: string; critical: boolean; value: Buffer }

/** One extension of a certificate or a revocation list. Throws an InputError. */
export function readExtension(extension: DerElement): RawExtension {
  const parts = readChildren(extension)
  const [type, flag] = parts
  const value = parts.at(-1)
  if (type === undefined || value?.tag !== derTags.octetString || parts.length > 3) {
    throw new InputError('a certificate has an extension that cannot be read')
  }
  const critical = parts.length === 3 && flag?.tag === derTags.boolean && flag.content[0] !== 0
  return { oid: readOid(type), critical, value: value.content }
}

function readBasicConstraints(value: Buffer): Pick<Extensions, 'authority' | 'path_length'> {
  const parts = readChildren(readDer(value, derTags.sequence))
  const flag = parts[0]?.tag === derTags.boolean ? parts.shift() : undefined
  const authority = flag !== undefined && flag.content[0] !== 0
  const [limit] = parts
  return limit === undefined ? { authority } : { authority, path_length: readSmallInteger(limit) }
}

/** The first octet of a bit string is the number of unused bits; digitalSignature is bit 0, nonRepudiation bit 1, keyCertSign bit 5, cRLSign bit 6. */
function readKeyUsage(value: Buffer): NonNullable<Extensions['usage']> {
  const bits = readDer(value, derTags.bitString).content[1] ?? 0
  return {
    digital_signature: (bits & 0x80) !== 0,
    non_repudiation: (bits & 0x40) !== 0,
    certificate_sign: (bits & 0x04) !== 0,
    crl_sign: (bits & 0x02) !== 0,
  }
}

function readPurposes(value: Buffer): string[] {
  return readChildren(readDer(value, derTags.sequence)).map(readOid)
}

/** keyIdentifier is the member with tag [0]; the others are not needed. */
function readAuthorityKeyId(value: Buffer): Pick<Extensions, 'authority_key_id'> {
  const identifier = readChildren(readDer(value, derTags.sequence)).find(({ tag }) => tag === 0x80)
  return identifier === undefined ? {} : { authority_key_id: identifier.content.toString('base64url') }
}

/** They are alternatives, and a holder waits for each that does not respond. */
export const maxRevocationUris = 2
const maxUriCharacters = 2048

/**
 * RFC 5280 §4.2.1.13. Skips points for some reasons only (tag [1]) and those of another issuer (tag [2]): their lists would not
 * be complete.
 */
function readDistributionPoints(value: Buffer): string[] {
  const points = readChildren(readDer(value, derTags.sequence)).map(readChildren)
  return points
    .filter((point) => point.every(({ tag }) => tag === 0xa0))
    .flatMap(([name]) => (name === undefined ? [] : readFullName(name)))
    .filter(isSupportedUri)
    .slice(0, maxRevocationUris)
}

/** The method of an OCSP responder (RFC 5280 §4.2.2.1). The others tell where certificates are published. */
const ocspMethodOid = '1.3.6.1.5.5.7.48.1'

function readInformationAccess(value: Buffer): Pick<Extensions, 'ocsp_uris'> {
  const responders = readChildren(readDer(value, derTags.sequence))
    .map(readChildren)
    .filter(([method]) => method !== undefined && readOid(method) === ocspMethodOid)
  if (responders.length === 0) return {}
  const uris = responders.flatMap(([, name]) => (name?.tag === 0x86 ? name.content.toString('latin1') : []))
  return { ocsp_uris: uris.filter(isSupportedUri).slice(0, maxRevocationUris) }
}

function isSupportedUri(uri: string): boolean {
  return /^https?:\/\//i.test(uri) && uri.length <= maxUriCharacters && URL.canParse(uri)
}

/** The URIs (tag [6]) of a DistributionPointName that is a fullName (tag [0]). Throws an InputError. */
export function readFullName(name: DerElement): string[] {
  return readChildren(name)
    .filter(({ tag }) => tag === 0xa0)
    .flatMap(readChildren)
    .filter(({ tag }) => tag === 0x86)
    .map(({ content }) => content.toString('latin1'))
}
