import { hash } from 'node:crypto'
import { decodeBase64 } from '../crypto/base64.ts'
import { catchInputError, InputError } from '../input-error.ts'
import type { Certificate } from '../x509/read-certificate.ts'
import { derTags, readChildren, readDer, readOid, readSerial, type DerElement } from '../x509/read-der.ts'

/** One certificate of a validated path and the one above it, which issued it. */
export type PathLink = { certificate: Certificate; issuer: Certificate }

/** SHA-1 with its parameters. It only names the issuer, and responders know no other hash (RFC 5019 §2.1.1). */
const sha1Identifier = Buffer.from('300906052b0e03021a0500', 'hex')

/**
 * The URI of the OCSP response about a certificate: that of the responder and of the request, as for GET (RFC 6960 §A.1). It names the
 * response wherever one is stored.
 */
export function buildOcspUri(responder: string, link: PathLink): string {
  return `${responder}/${encodeURIComponent(buildRequest(link).toString('base64'))}`
}

/** The parts of such a URI, and which certificate it is about. Undefined if it is another. */
export function readOcspUri(
  uri: string,
): { responder: string; request: Buffer; certificate_id: string } | undefined {
  const [, responder, encoded] = /^(https?:\/\/.+)\/([\w%]{40,600})$/.exec(uri) ?? []
  if (responder === undefined || encoded === undefined) return undefined
  const request = decodeRequest(encoded)
  if (request === undefined) return undefined
  const read = catchInputError(() => readCertificateId(unwrap(readDer(request, derTags.sequence), 4)))
  return 'error' in read ? undefined : { responder, request, certificate_id: read.value }
}

/** The members of a CertID (RFC 6960 §4.1.1) in one text. Throws an InputError. */
export function readCertificateId(id: DerElement): string {
  const [algorithm, name, key, serial] = readChildren(id)
  const [oid] = algorithm === undefined ? [] : readChildren(algorithm)
  if (oid === undefined || name === undefined || key === undefined || serial === undefined)
    throw new InputError('an OCSP response does not say which certificate it is about')
  return [readOid(oid), name.content.toString('hex'), key.content.toString('hex'), readSerial(serial)].join(
    ' ',
  )
}

/** The same for a certificate of a path. */
export function identifyCertificate(link: PathLink): string {
  return readCertificateId(readDer(buildCertificateId(link), derTags.sequence))
}

/** SHA-1 of the key of a certificate: the bits without their tag and length. Throws an InputError. */
export function hashKey({ x509 }: Certificate): Buffer {
  const [body] = readChildren(readDer(x509.raw, derTags.sequence))
  // RFC 5280 §4.1: [0] version, serial number, signature, issuer, validity, subject, key.
  const fields = body === undefined ? [] : readChildren(body).filter(({ tag }) => tag !== 0xa0)
  const [, bits] = fields[5] === undefined ? [] : readChildren(fields[5])
  if (bits?.tag !== derTags.bitString) throw new InputError('a certificate is incomplete')
  return hash('sha1', bits.content.subarray(1), 'buffer')
}

/** OCSPRequest, TBSRequest, the list of requests, and the only one. */
function buildRequest(link: PathLink): Buffer {
  return [1, 2, 3, 4].reduce((content) => write(derTags.sequence, content), buildCertificateId(link))
}

function buildCertificateId({ certificate, issuer }: PathLink): Buffer {
  const serial = Buffer.from(certificate.serial, 'hex')
  const sign = Buffer.alloc((serial[0] ?? 0) < 0x80 ? 0 : 1)
  return write(
    derTags.sequence,
    sha1Identifier,
    write(derTags.octetString, hash('sha1', Buffer.from(issuer.subject.der, 'latin1'), 'buffer')),
    write(derTags.octetString, hashKey(issuer)),
    write(derTags.integer, sign, serial),
  )
}

/** Nothing in a request is longer than 255 bytes, because no serial number has more than 64. */
function write(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const head = content.length < 0x80 ? [tag, content.length] : [tag, 0x81, content.length]
  return Buffer.concat([Buffer.from(head), content])
}

function unwrap(element: DerElement, levels: number): DerElement {
  const [inner] = readChildren(element)
  if (inner === undefined) throw new InputError('an OCSP request is incomplete')
  return levels === 1 ? inner : unwrap(inner, levels - 1)
}

function decodeRequest(encoded: string): Buffer | undefined {
  try {
    return decodeBase64(decodeURIComponent(encoded))
  } catch {
    // A percent sign that is followed by something else.
    return undefined
  }
}
