import { verify } from 'node:crypto'
import { catchInputError, InputError, type ReadResult } from '../input-error.ts'
import type { StatusListToken } from '../presentation.ts'
import { isIssuedBy } from '../x509/is-issued-by.ts'
import { readCertificate, type Certificate } from '../x509/read-certificate.ts'
import { x509Algorithms } from '../x509/signature-algorithms.ts'
import { readOcspResponse, type CertificateStatus, type UnverifiedOcspResponse } from './read.ts'
import { hashKey } from './request.ts'

/** What the authority of a certificate says about it. Whether it is up to date is checked at every lookup. */
export type OcspStatus = {
  /** `refused`: the responder said, unsigned, that it cannot tell. */
  status: CertificateStatus['status'] | 'refused'
  issued_at: number
  expires_at: number
  /** Who signed in the name of the authority; absent if it signed itself. */
  delegate?: Certificate
}

/** The certificate that is asked about, in the form of `readCertificateId`, and the authority that issued it. */
export type OcspQuestion = { certificate_id: string; issuer: Certificate }

type OpenedResponse = { question: string; opened: ReadResult<OcspStatus> }

// A response is opened once for as long as the caller keeps it: only its age changes.
const openedResponses = new WeakMap<StatusListToken, OpenedResponse>()

const ocspSigningOid = '1.3.6.1.5.5.7.3.9'
/** Without nextUpdate, newer information is available all the time (RFC 6960 §4.2.2.1): what was signed an hour ago is out of date. */
const defaultLifetime_seconds = 3600

/** Parses a response and verifies that the authority, or a responder that it certified for this, signed it (RFC 6960 §3.2). */
export function openOcspResponse(token: StatusListToken, question: OcspQuestion): ReadResult<OcspStatus> {
  const name = `${question.certificate_id} ${question.issuer.fingerprint}`
  const known = openedResponses.get(token)
  if (known?.question === name) return known.opened
  const opened = catchInputError(() => verifyResponse(token, question))
  openedResponses.set(token, { question: name, opened })
  return opened
}

function verifyResponse(
  { token, media }: StatusListToken,
  { certificate_id, issuer }: OcspQuestion,
): OcspStatus {
  if (media !== 'ocsp' || typeof token === 'string') throw new InputError('this is not an OCSP response')
  const response = readOcspResponse(token)
  if (response === undefined) return { status: 'refused', issued_at: 0, expires_at: 0 }
  const found = response.statuses.find((each) => each.certificate_id === certificate_id)
  if (found === undefined) throw new InputError('the OCSP response is about another certificate')
  const delegate = findDelegate(response, issuer)
  verifySignature(response, delegate ?? issuer)
  const { status, issued_at, next_update = response.produced_at + defaultLifetime_seconds } = found
  return delegate === undefined
    ? { status, issued_at, expires_at: next_update }
    : {
        status,
        issued_at: Math.max(issued_at, delegate.valid_from),
        expires_at: Math.min(next_update, delegate.valid_until),
        delegate,
      }
}

/** Undefined if the authority itself is named as the signer. */
function findDelegate(response: UnverifiedOcspResponse, issuer: Certificate): Certificate | undefined {
  if (isResponder(issuer, response)) return undefined
  for (const der of response.certificates) {
    const read = readCertificate(der)
    if ('error' in read || !isResponder(read.value, response)) continue
    checkDelegate(read.value, issuer)
    return read.value
  }
  throw new InputError('the OCSP response was signed by somebody else than the authority')
}

function isResponder(certificate: Certificate, { responder }: UnverifiedOcspResponse): boolean {
  return 'name' in responder
    ? certificate.subject.der === responder.name
    : hashKey(certificate).equals(responder.key)
}

/** RFC 6960 §4.2.2.2: certified for this purpose, by the very authority. */
function checkDelegate(delegate: Certificate, issuer: Certificate): void {
  const { authority, purposes, usage, unknown_critical } = delegate.extensions
  if (!isIssuedBy(delegate, issuer))
    throw new InputError('the signer of the OCSP response was certified by another authority')
  if (purposes?.oids.includes(ocspSigningOid) !== true || authority || usage?.digital_signature === false)
    throw new InputError('the signer of the OCSP response is not certified for that')
  if (unknown_critical.length > 0)
    throw new InputError('the signer of the OCSP response has an unknown critical extension')
}

function verifySignature(
  { signature_oid, signed, signature }: UnverifiedOcspResponse,
  { key }: Certificate,
): void {
  const algorithm = x509Algorithms.get(signature_oid)
  if (algorithm === undefined || key?.key.asymmetricKeyType !== algorithm.key_type)
    throw new InputError('the algorithm of the OCSP response is not accepted')
  if (!verify(algorithm.hash, signed, key.key, signature))
    throw new InputError('the OCSP response was not signed by the authority')
}
