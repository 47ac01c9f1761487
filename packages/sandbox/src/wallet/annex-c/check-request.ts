import type { AnnexCRequest } from '../authorization-request.ts'
import type { DcApiRequestInput } from '../dc-api/check-request.ts'
import type { DcqlQuery } from '../dcql.ts'
import { sessionTranscript } from '../session-binding.ts'
import { formatValue, isObject, violationUnless, type Violation } from '../violation.ts'
import { checkReaderAuth } from './check-reader-auth.ts'
import { readDeviceRequest, type DocumentRequest } from './read-device-request.ts'
import { readEncryptionInfo } from './read-encryption-info.ts'

/** Checks the data of an `org-iso-mdoc` request strictly (ISO/IEC TS 18013-7 annex C). */
export function checkAnnexCRequest(
  data: unknown,
  { origin, now, verifier_anchors = [] }: DcApiRequestInput,
): { request?: AnnexCRequest; violations: Violation[] } {
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
  for (const document of documents)
    violations.push(...checkReaderAuth(document, { session_transcript, now, anchors: verifier_anchors }))
  if (violations.length > 0 || recipient === undefined) return { violations }
  const dcql_query = toQuery(documents)
  return { request: { channel: 'annex_c', origin, encryption_info, ...recipient, dcql_query }, violations }
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
