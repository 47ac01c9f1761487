import type { Cbor } from '../../cbor/encode.ts'
import type { AnnexCRequest } from '../authorization-request.ts'
import type { AnnexCReading, DcApiRequestInput } from '../dc-api/check-request.ts'
import type { ClaimsQuery, CredentialQuery, DcqlQuery } from '../dcql.ts'
import { checkRegistration, type RegistrationInput } from '../registration/check-registration.ts'
import { findRepeatedCertificate } from '../registration/find-certificate.ts'
import type { RegistrationPolicy, RegistrationResult } from '../registration/registration.ts'
import { sessionTranscript } from '../verification-binding.ts'
import { formatValue, isObject, violationUnless, type Violation } from '../violation.ts'
import { checkReaderAuth, checkReaderAuthAll, type CheckedReader } from './check-reader-auth.ts'
import { readDeviceRequest, type DeviceRequest, type DocumentRequest } from './read-device-request.ts'
import { readEncryptionInfo } from './read-encryption-info.ts'

/** Checks the data of an `org-iso-mdoc` request strictly (ISO/IEC TS 18013-7 annex C). */
export async function checkAnnexCRequest(
  data: unknown,
  { origin, ...input }: DcApiRequestInput,
): Promise<{ request?: AnnexCRequest; violations: Violation[] }> {
  const members = isObject(data) ? Object.keys(data).toSorted().join() : undefined
  if (!isObject(data) || members !== 'deviceRequest,encryptionInfo') {
    const message = `data is ${formatValue(data)}, not an object with deviceRequest and encryptionInfo`
    return { violations: violationUnless(false, 'dc_api.data', 'ISO/IEC TS 18013-7 annex C', message) }
  }
  const { recipient, violations: keyViolations } = readEncryptionInfo(data['encryptionInfo'])
  const encryption_info = String(data['encryptionInfo'])
  const session_transcript = sessionTranscript({ kind: 'annex_c', origin, encryption_info })
  const checked = await checkDeviceRequest(data['deviceRequest'], { ...input, session_transcript })
  const violations = [...keyViolations, ...checked.violations]
  if (violations.length > 0 || recipient === undefined) return { violations }
  const { dcql_query, registration } = checked
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

type DeviceRequestInput = Omit<DcApiRequestInput, 'origin'> & { session_transcript: readonly Cbor[] }

/** Checks a DeviceRequest for a session: its form, the reader's signatures and, if the wallet asks for it, the registration. */
export async function checkDeviceRequest(
  text: unknown,
  {
    session_transcript,
    now,
    verifier_anchors = [],
    registration: policy,
    annex_c_reading,
    ecosystem,
  }: DeviceRequestInput,
): Promise<{ dcql_query: DcqlQuery; registration?: RegistrationResult; violations: Violation[] }> {
  const { violations, ...deviceRequest } = readDeviceRequest(text)
  const { documents } = deviceRequest
  const input = { session_transcript, now, anchors: verifier_anchors }
  const ofAll = checkReaderAuthAll(deviceRequest, input)
  const readers = [...documents.map((document) => checkReaderAuth(document, input)), ...ofAll]
  const dcql_query = toQuery(deviceRequest, annex_c_reading)
  const registered = await readRegistration(documents, {
    policy,
    access_certificate: readers[0]?.leaf,
    dcql_query,
    now,
  })
  const { registration } = registered
  return {
    dcql_query,
    ...(registration !== undefined && { registration }),
    violations: [
      ...violations,
      ...listReaderViolations(readers),
      ...checkAppleReader(ecosystem, ofAll),
      ...registered.violations,
    ],
  }
}

/** Readers that the wallet does not know are no violation beside one that it does: each is for the wallets of its own ecosystem. */
function listReaderViolations(readers: readonly CheckedReader[]): Violation[] {
  const isKnown = readers.some(({ leaf, violations }) => leaf !== undefined && violations.length === 0)
  return readers
    .flatMap(({ violations }) => violations)
    .filter(({ rule }) => !isKnown || rule !== 'x5c.trust')
}

/** Apple's wallet reads only signatures over the whole request, and needs one of a reader that Apple registered. */
function checkAppleReader(
  ecosystem: DcApiRequestInput['ecosystem'],
  readers: readonly CheckedReader[],
): Violation[] {
  return violationUnless(
    ecosystem !== 'apple' || readers.some(({ violations }) => violations.length === 0),
    'apple.reader',
    'Apple, Verify with Wallet on the Web',
    'readerAuthAll has no signature of a reader that this wallet knows',
  )
}

async function readRegistration(
  documents: readonly DocumentRequest[],
  { policy, ...input }: Omit<RegistrationInput, 'policy'> & { policy: RegistrationPolicy | undefined },
): ReturnType<typeof checkRegistration> {
  if (policy === undefined) return { violations: [] }
  const { jwt, violations } = findRepeatedCertificate(documents.map(({ registration }) => registration))
  return jwt === undefined ? { violations } : checkRegistration(jwt, { ...input, policy })
}

/**
 * A request of version 1.0 knows no alternatives: the holder returns the documents they have, each with all requested elements. One of
 * 1.1 is a query: use cases are credential sets, alternative elements are claim sets.
 */
function toQuery({ documents, use_cases }: DeviceRequest, reading: AnnexCReading = 'use_cases'): DcqlQuery {
  const idOf = (index: number) => `document_${index}`
  const credentials = documents.map((document, index) => ({
    id: idOf(index),
    format: 'mso_mdoc',
    meta: { doctype_value: document.doctype },
    ...toClaims(document),
  }))
  if (reading === 'first') return { credentials: credentials.slice(0, 1) }
  if (reading === 'every' || use_cases === undefined)
    return {
      credentials,
      credential_sets: credentials.map(({ id }) => ({ options: [[id]], required: false })),
    }
  return {
    credentials,
    credential_sets: use_cases.map(({ mandatory, document_sets }) => ({
      options: document_sets.map((set) => set.map(idOf)),
      required: mandatory,
    })),
  }
}

function toClaims({ claims, alternatives }: DocumentRequest): Pick<CredentialQuery, 'claims' | 'claim_sets'> {
  if (alternatives === undefined) return { claims }
  const { replaced, sets } = alternatives
  const all = [...claims, ...sets.flat()].map((claim, index) => ({ ...claim, id: `claim_${index}` }))
  const idsOf = (chosen: readonly ClaimsQuery[]) =>
    all.filter(({ path }) => chosen.some((each) => isSamePath(each.path, path))).map(({ id }) => id)
  const kept = claims.filter((claim) => claim !== replaced)
  return { claims: all, claim_sets: [idsOf(claims), ...sets.map((set) => idsOf([...kept, ...set]))] }
}

function isSamePath(a: ClaimsQuery['path'], b: ClaimsQuery['path']): boolean {
  return a.length === b.length && a.every((component, index) => component === b[index])
}
