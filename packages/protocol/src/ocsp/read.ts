import { InputError } from '../input-error.ts'
import { readSignatureOid } from '../x509/read-certificate.ts'
import { derTags, readChildren, readDer, readOid, readTime, type DerElement } from '../x509/read-der.ts'
import { readExtension } from '../x509/read-extensions.ts'
import { readCertificateId } from './request.ts'

/** A parsed OCSP response (RFC 6960 §4.2.1). Nothing in it is verified. */
export type UnverifiedOcspResponse = {
  /** The bytes that the signature covers. */
  signed: Buffer
  signature_oid: string
  /** As X.509 encodes it. */
  signature: Buffer
  /** Who signed: the name, in the form of `DistinguishedName.der`, or the SHA-1 of the key. */
  responder: { name: string } | { key: Buffer }
  /** Seconds since 1970. */
  produced_at: number
  /** Certificates that were sent along (DER). They prove nothing by themselves. */
  certificates: Buffer[]
  statuses: CertificateStatus[]
}

export type CertificateStatus = {
  /** In the form of `readCertificateId`. */
  certificate_id: string
  status: 'good' | 'revoked' | 'unknown'
  /** thisUpdate and nextUpdate, in seconds since 1970. */
  issued_at: number
  next_update?: number
}

/** A response about one certificate with the chain of its signer has a few kilobytes. */
export const ocspLimits = { response_bytes: 64 * 1024, certificates: 5, statuses: 100 }

const basicResponseOid = '1.3.6.1.5.5.7.48.1.1'
const tags = { enumerated: 0x0a, good: 0x80, revoked: 0xa1, unknown: 0x82 } as const

/** Undefined if the responder says that it cannot tell, which nobody signs. Throws an InputError. */
export function readOcspResponse(der: Uint8Array): UnverifiedOcspResponse | undefined {
  if (der.length > ocspLimits.response_bytes) throw new InputError('the OCSP response is too large')
  const bytes = Buffer.from(der.buffer, der.byteOffset, der.byteLength)
  const [code, wrapped] = readChildren(readDer(bytes, derTags.sequence))
  if (code?.tag !== tags.enumerated || code.content.length !== 1)
    throw new InputError('the OCSP response has no status')
  if (code.content[0] !== 0) return undefined
  const [type, content] = readChildren(unwrap(wrapped, 0xa0))
  if (type === undefined || content?.tag !== derTags.octetString || readOid(type) !== basicResponseOid)
    throw new InputError('the OCSP response is of another type')
  return readBasicResponse(readDer(content.content, derTags.sequence))
}

function readBasicResponse(response: DerElement): UnverifiedOcspResponse {
  const [body, algorithm, signature, wrapped] = readChildren(response)
  if (body === undefined || algorithm?.tag !== derTags.sequence || signature?.tag !== derTags.bitString)
    throw new InputError('the OCSP response is incomplete')
  // The first octet of a bit string is the number of unused bits.
  if (signature.content[0] !== 0) throw new InputError('the signature of the OCSP response is malformed')
  const certificates = wrapped === undefined ? [] : readChildren(unwrap(wrapped, 0xa0))
  if (certificates.length > ocspLimits.certificates)
    throw new InputError('the OCSP response has too many certificates')
  return {
    signed: body.span,
    signature_oid: readSignatureOid(algorithm),
    signature: signature.content.subarray(1),
    certificates: certificates.map(({ span }) => span),
    ...readBody(body),
  }
}

/** ResponseData: [0] version, responder, producedAt, the responses, [1] extensions. */
function readBody(body: DerElement): Pick<UnverifiedOcspResponse, 'responder' | 'produced_at' | 'statuses'> {
  const fields = readChildren(body)
  if (fields[0]?.tag === 0xa0) fields.shift()
  const [responder, producedAt, responses, extensions] = fields
  if (responder === undefined || producedAt === undefined || responses?.tag !== derTags.sequence)
    throw new InputError('the OCSP response is incomplete')
  if (extensions !== undefined) refuseCritical(unwrap(extensions, 0xa1))
  const statuses = readChildren(responses)
  if (statuses.length > ocspLimits.statuses)
    throw new InputError('the OCSP response is about too many certificates')
  return {
    responder: readResponder(responder),
    produced_at: readTime(producedAt),
    statuses: statuses.map(readStatus),
  }
}

function readResponder(responder: DerElement): UnverifiedOcspResponse['responder'] {
  const name = responder.tag === 0xa1 ? readDer(responder.content, derTags.sequence) : undefined
  if (name !== undefined) return { name: name.span.toString('latin1') }
  if (responder.tag !== 0xa2) throw new InputError('the OCSP response does not say who signed it')
  return { key: readDer(responder.content, derTags.octetString).content }
}

/** SingleResponse: the certificate, its status, thisUpdate, [0] nextUpdate, [1] extensions. */
function readStatus(response: DerElement): CertificateStatus {
  const [id, status, thisUpdate, ...rest] = readChildren(response)
  if (id === undefined || status === undefined || thisUpdate === undefined)
    throw new InputError('the OCSP response is incomplete')
  const next = rest.find(({ tag }) => tag === 0xa0)
  const extensions = rest.find(({ tag }) => tag === 0xa1)
  if (extensions !== undefined) refuseCritical(unwrap(extensions, 0xa1))
  const [nextUpdate] = next === undefined ? [] : readChildren(next)
  return {
    certificate_id: readCertificateId(id),
    status: readStatusName(status),
    issued_at: readTime(thisUpdate),
    ...(nextUpdate !== undefined && { next_update: readTime(nextUpdate) }),
  }
}

function readStatusName({ tag }: DerElement): CertificateStatus['status'] {
  if (tag === tags.good) return 'good'
  if (tag === tags.revoked) return 'revoked'
  if (tag === tags.unknown) return 'unknown'
  throw new InputError('the OCSP response has an unknown status')
}

/** None that may be critical is asked for (RFC 6960 §4.4). */
function refuseCritical(extensions: DerElement): void {
  for (const extension of readChildren(extensions)) {
    const { oid, critical } = readExtension(extension)
    if (critical) throw new InputError(`the OCSP response has an unknown critical extension: ${oid}`)
  }
}

/** The sequence inside an explicit tag. */
function unwrap(wrapped: DerElement | undefined, tag: number): DerElement {
  if (wrapped?.tag !== tag) throw new InputError('the OCSP response is incomplete')
  return readDer(wrapped.content, derTags.sequence)
}
