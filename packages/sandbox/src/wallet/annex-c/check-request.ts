import type { AnnexCRequest } from '../authorization-request.ts'
import type { DcApiRequestInput } from '../dc-api/check-request.ts'
import type { DcqlQuery } from '../dcql.ts'
import { checkRegistration, type RegistrationInput } from '../registration/check-registration.ts'
import { findRepeatedCertificate } from '../registration/find-certificate.ts'
import type { RegistrationPolicy } from '../registration/registration.ts'
import { sessionTranscript } from '../verification-binding.ts'
import { formatValue, isObject, violationUnless, type Violation } from '../violation.ts'
import { checkReaderAuth } from './check-reader-auth.ts'
import { readDeviceRequest, type DocumentRequest } from './read-device-request.ts'
import { readEncryptionInfo } from './read-encryption-info.ts'

/** Checks the data of an `org-iso-mdoc` request strictly (ISO/IEC TS 18013-7 annex C). */
export async function checkAnnexCRequest(
  data: unknown,
  { origin, now, verifier_anchors = [], registration: policy }: DcApiRequestInput,
): Promise<{ request?: AnnexCRequest; violations: Violation[] }> {
  const members = isObject(data) ? Object.keys(data).toSorted().join() : undefined
  if (!isObject(data) || members !== 'deviceRequest,encryptionInfo') {
    const message = `data is ${formatValue(data)}, not an object with deviceRequest and encryptionInfo`
    return { violations: violationUnless(false, 'dc_api.data', 'ISO/IEC TS 18013-7 annex C', message) }
  }
  const { documents, violations } = readDeviceRequest(data['deviceRequest'])
  const { recipient, violations: keyViolations } = readEncryptionInfo(data['encryptionInfo'])
  violations.push(...keyViolations)
  const encryption_info = String(data['encryptionInfo'])
  const session_transcript = sessionTranscript({ kind: 'annex_c', origin, encryption_info })
  const readers = documents.map((document) =>
    checkReaderAuth(document, { session_transcript, now, anchors: verifier_anchors }),
  )
  violations.push(...readers.flatMap((reader) => reader.violations))
  const dcql_query = toQuery(documents)
  const registered = await readRegistration(documents, {
    policy,
    access_certificate: readers[0]?.leaf,
    dcql_query,
    now,
  })
  violations.push(...registered.violations)
  if (violations.length > 0 || recipient === undefined) return { violations }
  const { registration } = registered
  return {
    request: {
      channel: 'annex_c',
      origin,
      encryption_info,
      ...recipient,
      dcql_query,
      ...(registration !== undefined && { registration }),
    },
    violations,
  }
}

async function readRegistration(
  documents: readonly DocumentRequest[],
  { policy, ...input }: Omit<RegistrationInput, 'policy'> & { policy: RegistrationPolicy | undefined },
): ReturnType<typeof checkRegistration> {
  if (policy === undefined) return { violations: [] }
  const { jwt, violations } = findRepeatedCertificate(documents.map(({ registration }) => registration))
  return jwt === undefined ? { violations } : checkRegistration(jwt, { ...input, policy })
}

/** A DeviceRequest knows no alternatives: the holder returns the documents they have, each with all requested elements. */
function toQuery(documents: readonly DocumentRequest[]): DcqlQuery {
  const credentials = documents.map(({ doctype, claims }, index) => ({
    id: `document_${index}`,
    format: 'mso_mdoc',
    meta: { doctype_value: doctype },
    claims,
  }))
  return {
    credentials,
    credential_sets: credentials.map(({ id }) => ({ options: [[id]], required: false })),
  }
}
