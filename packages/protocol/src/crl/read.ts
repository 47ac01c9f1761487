import { InputError } from '../input-error.ts'
import { derTags, readChildren, readDer, readTime, type DerElement } from '../x509/read-der.ts'
import { readSignatureOid } from '../x509/read-certificate.ts'
import { readExtension } from '../x509/read-extensions.ts'
import { readScope, type CrlScope } from './read-scope.ts'

/** A parsed certificate revocation list (RFC 5280 §5.1). Nothing in it is verified. */
export type UnverifiedCrl = {
  /** The bytes that the signature covers. */
  signed: Buffer
  signature_oid: string
  /** As X.509 encodes it. */
  signature: Buffer
  /** The name of the issuer, in the form of `DistinguishedName.der`. */
  issuer: string
  /** thisUpdate and nextUpdate, in seconds since 1970. */
  issued_at: number
  next_update: number
  /** Which certificates it covers; absent means all of its issuer's. */
  scope?: CrlScope
  /** The content of revokedCertificates, read when a certificate is looked up. Absent if none is revoked. */
  entries?: Buffer
}

const maxCrl_bytes = 4 * 1024 * 1024

const oids = {
  crl_number: '2.5.29.20',
  delta_indicator: '2.5.29.27',
  issuing_distribution_point: '2.5.29.28',
  authority_key_id: '2.5.29.35',
} as const

/** Throws an InputError. */
export function readCrl(der: Uint8Array): UnverifiedCrl {
  if (der.length > maxCrl_bytes) throw new InputError('the revocation list is too large')
  const bytes = Buffer.from(der.buffer, der.byteOffset, der.byteLength)
  const [body, algorithm, signature] = readChildren(readDer(bytes, derTags.sequence))
  if (body === undefined || algorithm === undefined || signature?.tag !== derTags.bitString)
    throw new InputError('the revocation list is incomplete')
  // The first octet of a bit string is the number of unused bits.
  if (signature.content[0] !== 0) throw new InputError('the signature of the revocation list is malformed')
  const { inner_algorithm, ...fields } = readBody(body)
  if (!inner_algorithm.span.equals(algorithm.span))
    throw new InputError('the revocation list names two signature algorithms')
  return {
    signed: body.span,
    signature_oid: readSignatureOid(algorithm),
    signature: signature.content.subarray(1),
    ...fields,
  }
}

/** RFC 5280 §5.1.2: version, signature, issuer, thisUpdate, nextUpdate, revokedCertificates, [0] extensions. */
function readBody(
  body: DerElement,
): Omit<UnverifiedCrl, 'signed' | 'signature_oid' | 'signature'> & { inner_algorithm: DerElement } {
  const fields = readChildren(body)
  if (fields[0]?.tag === derTags.integer) fields.shift()
  const [inner_algorithm, issuer, thisUpdate, nextUpdate, ...rest] = fields
  if (inner_algorithm === undefined || issuer?.tag !== derTags.sequence || thisUpdate === undefined)
    throw new InputError('the revocation list is incomplete')
  // The profile requires it (§5.1.2.5). Without it nothing says when the list is out of date.
  if (nextUpdate?.tag !== derTags.utcTime && nextUpdate?.tag !== derTags.generalizedTime)
    throw new InputError('the revocation list does not say when the next one is issued')
  const entries = rest.find(({ tag }) => tag === derTags.sequence)
  const wrapped = rest.find(({ tag }) => tag === 0xa0)
  return {
    inner_algorithm,
    issuer: issuer.span.toString('latin1'),
    issued_at: readTime(thisUpdate),
    next_update: readTime(nextUpdate),
    ...(wrapped && readCrlExtensions(readDer(wrapped.content, derTags.sequence))),
    ...(entries && { entries: entries.content }),
  }
}

/** RFC 5280 §5.2. A list with an unknown critical extension must not be used, nor may a delta stand for the whole list. */
function readCrlExtensions(list: DerElement): Pick<UnverifiedCrl, 'scope'> {
  let read: Pick<UnverifiedCrl, 'scope'> = {}
  for (const extension of readChildren(list)) {
    const { oid, critical, value } = readExtension(extension)
    if (oid === oids.delta_indicator) throw new InputError('the revocation list is a delta')
    if (oid === oids.issuing_distribution_point) read = { scope: readScope(value) }
    else if (critical && oid !== oids.crl_number && oid !== oids.authority_key_id)
      throw new InputError(`the revocation list has an unknown critical extension: ${oid}`)
  }
  return read
}
