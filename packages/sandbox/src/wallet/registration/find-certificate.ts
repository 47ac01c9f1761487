import { isNonEmptyArray, isObject, violationUnless, type Violation } from '../violation.ts'

const place = 'ETSI TS 119 472-2 §6.3.2.2'
const compactJwt = /^[\w-]+\.[\w-]+\.[\w-]+$/

type FoundCertificate = { jwt?: string; violations: Violation[] }

/** Finds the registration certificate in a `verifier_info`: exactly one, as a compact JWT or base64url of it. */
export function findCertificate(verifierInfo: unknown): FoundCertificate {
  const elements = isNonEmptyArray(verifierInfo)
    ? verifierInfo.filter((element) => isObject(element) && element['format'] === 'registration_cert')
    : []
  const [element] = elements
  if (elements.length !== 1 || !isObject(element)) {
    const message = `verifier_info has ${elements.length} elements registration_cert, not one`
    return { violations: violationUnless(false, 'registration.count', place, message) }
  }
  const jwt = decodeData(element['data'])
  return {
    ...(jwt !== undefined && { jwt }),
    violations: [
      ...violationUnless(
        jwt !== undefined,
        'registration.form',
        place,
        'its data is neither a compact JWT nor base64url of one',
      ),
      ...violationUnless(
        !('credential_ids' in element),
        'registration.credential_ids',
        place,
        'the certificate must not be limited to credentials of the query',
      ),
    ],
  }
}

/** Finds the certificate in the `requestInfo` of each ItemsRequest: the same byte string in all of them (§5.3.2). */
export function findRepeatedCertificate(certificates: readonly (Uint8Array | undefined)[]): FoundCertificate {
  const [first] = certificates
  const same = first !== undefined && certificates.every((each) => each && Buffer.from(first).equals(each))
  const jwt = same ? decodeData(Buffer.from(first).toString('latin1')) : undefined
  return {
    ...(jwt !== undefined && { jwt }),
    violations: violationUnless(
      jwt !== undefined,
      'registration.count',
      'ETSI TS 119 472-2 §5.3.2',
      'the ItemsRequests do not all carry the same certificate as euWrprc',
    ),
  }
}

function decodeData(data: unknown): string | undefined {
  if (typeof data !== 'string') return undefined
  const text = compactJwt.test(data) ? data : Buffer.from(data, 'base64url').toString('latin1')
  return compactJwt.test(text) ? text : undefined
}
