import { hash, X509Certificate } from 'node:crypto'
import { boundedMap } from '../bounded-map.ts'
import type { PublicKey } from '../crypto/verify-signature.ts'
import { catchInputError, InputError, type ReadResult } from '../input-error.ts'
import { derTags, readChildren, readDer, readOid, readSerial, type DerElement } from './read-der.ts'
import { readExtension, readExtensions, type Extensions, type RawExtension } from './read-extensions.ts'
import { readName, type DistinguishedName } from './read-name.ts'

export type Certificate = {
  /** SHA-256 of the DER, hexadecimal. */
  fingerprint: string
  /** The serial number, hexadecimal. Unique among the certificates of an authority. */
  serial: string
  x509: X509Certificate
  subject: DistinguishedName
  issuer: DistinguishedName
  /** Seconds since 1970, both inclusive. */
  valid_from: number
  valid_until: number
  /** Absent if OpenSSL does not support the key. */
  key?: PublicKey
  signature_oid: string
  extensions: Extensions
}

const limits = { bytes: 16 * 1024, remembered: 1_000 } as const

// Parsing costs more than verifying a signature, and issuers are few. The key is the hash of the certificate, so entries never go stale.
const cachedCertificates = boundedMap<string, Certificate>(limits.remembered)

export function readCertificate(der: Uint8Array): ReadResult<Certificate> {
  if (der.length > limits.bytes) return { error: 'a certificate is too large' }
  const fingerprint = hash('sha256', der, 'hex')
  const known = cachedCertificates.get(fingerprint)
  return known === undefined ? catchInputError(() => parse(Buffer.from(der), fingerprint)) : { value: known }
}

/** The subject in DER, as `DistinguishedName` has it, without reading the rest. Undefined if it is not a certificate. */
export function readSubject(der: Uint8Array): string | undefined {
  if (der.length > limits.bytes) return undefined
  const read = catchInputError(() => {
    const bytes = Buffer.from(der.buffer, der.byteOffset, der.byteLength)
    const [body] = readChildren(readDer(bytes, derTags.sequence))
    if (body === undefined) throw new InputError('a certificate is incomplete')
    return readBody(body).subject.span.toString('latin1')
  })
  return 'value' in read ? read.value : undefined
}

/** Every extension of a certificate as it is. Throws an InputError. */
export function readRawExtensions(der: Uint8Array): RawExtension[] {
  const [body] = readChildren(readDer(Buffer.from(der), derTags.sequence))
  const extensions = body && readBody(body).extensions
  return extensions === undefined ? [] : readChildren(extensions).map(readExtension)
}

/** Only for certificates found to be trusted, so that untrusted ones cannot evict them. */
export function cacheCertificate(certificate: Certificate): void {
  if (cachedCertificates.get(certificate.fingerprint) === undefined)
    cachedCertificates.set(certificate.fingerprint, certificate)
}

function parse(der: Buffer, fingerprint: string): Certificate {
  const [body, algorithm] = readChildren(readDer(der, derTags.sequence))
  if (body === undefined || algorithm === undefined) throw new InputError('a certificate is incomplete')

  const { serial, issuer, subject, extensions } = readBody(body)
  const x509 = parseX509(der)
  const key = readKey(x509)
  return {
    fingerprint,
    serial: readSerial(serial),
    x509,
    subject: readName(subject),
    issuer: readName(issuer),
    valid_from: x509.validFromDate.getTime() / 1000,
    valid_until: x509.validToDate.getTime() / 1000,
    ...(key && { key }),
    signature_oid: readSignatureOid(algorithm),
    extensions: readExtensions(extensions),
  }
}

/** RFC 5280 §4.1: [0] version, serial number, signature, issuer, validity, subject, key, …, [3] extensions. */
function readBody(body: DerElement): {
  serial: DerElement
  issuer: DerElement
  subject: DerElement
  extensions: DerElement | undefined
} {
  const fields = readChildren(body)
  if (fields[0]?.tag === 0xa0) fields.shift()
  const [serial, , issuer, , subject] = fields
  if (serial === undefined || issuer === undefined || subject === undefined)
    throw new InputError('a certificate is incomplete')
  const wrapped = fields.find(({ tag }) => tag === 0xa3)
  return { serial, issuer, subject, extensions: wrapped && readDer(wrapped.content, derTags.sequence) }
}

/** The algorithm of an AlgorithmIdentifier. Throws an InputError. */
export function readSignatureOid(algorithm: DerElement): string {
  const [oid] = readChildren(algorithm)
  if (oid === undefined) throw new InputError('a certificate is incomplete')
  return readOid(oid)
}

function parseX509(der: Buffer): X509Certificate {
  try {
    return new X509Certificate(der)
  } catch {
    // OpenSSL throws if it is not a certificate.
    throw new InputError('a certificate cannot be read')
  }
}

function readKey(x509: X509Certificate): PublicKey | undefined {
  try {
    const key = x509.publicKey
    return { key, curve: key.asymmetricKeyDetails?.namedCurve ?? key.asymmetricKeyType }
  } catch {
    // OpenSSL throws for an unsupported key type and for a point that is not on its curve.
    return undefined
  }
}
