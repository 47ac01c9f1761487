import { buildSigStructure, readX5chain } from '../cose/sign1.ts'
import { failure, hasFailure } from '../findings.ts'
import { catchInputError } from '../input-error.ts'
import { findLifetimeError, maxClockSkew_seconds } from '../lifetime.ts'
import type { Finding, PresentedCredential, VerificationContext } from '../presentation.ts'
import type { ReaderKey } from '../proximity/read-session.ts'
import { readStatusReference } from '../status/read-status-reference.ts'
import { buildUnreadableCredential } from '../unreadable-credential.ts'
import { describeSigner } from '../x509/describe-signer.ts'
import { documentProfile, isDrivingLicence } from '../x509/profiles.ts'
import type { Certificate } from '../x509/read-certificate.ts'
import { verifySigner, type VerifiedSigner } from '../x509/verify-signer.ts'
import { checkElements, type CheckedElements } from './check-elements.ts'
import { readDeviceResponse, type MdocDocument } from './read-device-response.ts'
import { buildSessionTranscript } from './session-transcript.ts'
import { verifyDeviceAuth } from './verify-device-auth.ts'

/** Verifies an mdoc presented for a request, except for its revocation status. */
export function verifyMdoc(presentation: string, context: VerificationContext): PresentedCredential {
  const { binding } = context.request
  const reader_key = binding.channel === 'proximity' ? binding.reader_key : undefined
  return verifyDeviceResponse(presentation, buildSessionTranscript(binding), { ...context, reader_key })
}

/** The same for any session transcript. Runs every check that it can, so that the findings show the cause. */
export function verifyDeviceResponse(
  presentation: string,
  sessionTranscript: Uint8Array,
  {
    trust,
    now,
    reader_key,
  }: Pick<VerificationContext, 'trust' | 'now'> & { reader_key?: ReaderKey | undefined },
): PresentedCredential {
  const read = catchInputError(() => readDocument(presentation))
  if ('error' in read) return buildUnreadableCredential('mso_mdoc', read.error)
  const { document, chain } = read.value
  const { mso } = document

  const signer = verifyIssuerAuth(document, chain, { trust, now })
  const { claims, issuer_findings, device_findings } = checkElements(document)
  trust.endStep?.('disclosures')
  const binding = [...verifyDeviceAuth(document, sessionTranscript, reader_key), ...device_findings]
  trust.endStep?.('key binding')
  const { findings: statusFindings, ...status } = readStatusReference(
    mso.status,
    trust,
    mso.status_identifier,
  )

  return {
    format: 'mso_mdoc',
    doctype_or_vct: mso.doc_type,
    claims,
    ...describeSigner(signer),
    signature_valid: signer.signature_valid && issuer_findings.length === 0,
    holder_binding_valid: !hasFailure(binding),
    ...status,
    findings: [
      ...checkDocType(document),
      ...signer.findings,
      ...issuer_findings,
      ...checkCountry(mso.doc_type, claims, signer.signer),
      ...checkValidity(document, signer.signer, now),
      ...binding,
      ...statusFindings,
    ],
  }
}

function readDocument(presentation: string): { document: MdocDocument; chain: Uint8Array[] } {
  const document = readDeviceResponse(presentation)
  return { document, chain: readX5chain(document.issuer_auth) }
}

function verifyIssuerAuth(
  { issuer_auth, mso, mso_bytes }: MdocDocument,
  chain: Uint8Array[],
  { trust, now }: Pick<VerificationContext, 'trust' | 'now'>,
): VerifiedSigner {
  const { algorithm, signature } = issuer_auth
  const document_types = [mso.doc_type]
  return verifySigner(
    { chain, anchors: trust.anchors, document_types, profile: documentProfile(document_types), now },
    { algorithm, signed: buildSigStructure(issuer_auth, mso_bytes), signature },
    trust.endStep,
  )
}

function checkDocType({ doc_type, mso }: MdocDocument): Finding[] {
  if (doc_type === mso.doc_type) return []
  return [failure('credential_type', 'docType does not match the signed MSO')]
}

/** ISO/IEC 18013-5 §9.3.1 and annex B: an authority signs only for its own country and state. */
function checkCountry(
  docType: string,
  claims: CheckedElements['claims'],
  signer: Certificate | undefined,
): Finding[] {
  if (!isDrivingLicence(docType) || signer === undefined) return []
  const { issuing_country, issuing_jurisdiction } = claims['org.iso.18013.5.1'] ?? {}
  const { country, state } = signer.subject
  const findings: Finding[] = []
  if (issuing_country !== undefined && issuing_country !== country) {
    findings.push(
      failure('issuer_country', "issuing_country does not match the country of the signer's certificate"),
    )
  }
  if (issuing_jurisdiction !== undefined && state !== undefined && issuing_jurisdiction !== state) {
    findings.push(
      failure('issuer_country', "issuing_jurisdiction does not match the state of the signer's certificate"),
    )
  }
  return findings
}

function checkValidity({ mso }: MdocDocument, signer: Certificate | undefined, now: number): Finding[] {
  const { signed, valid_from, valid_until } = mso.validity
  const findings: Finding[] = []
  const isTimely = (by: Certificate) =>
    by.valid_from - maxClockSkew_seconds <= signed && signed <= by.valid_until + maxClockSkew_seconds
  if (signer !== undefined && !isTimely(signer)) {
    findings.push(failure('signing_time', "it was signed while its signer's certificate was not valid"))
  }
  const lifetimeError = findLifetimeError({ nbf: valid_from, exp: valid_until }, now)
  if (lifetimeError !== undefined) findings.push(failure('credential_validity', lifetimeError))
  return findings
}
