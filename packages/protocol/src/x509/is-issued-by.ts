import { boundedMap } from '../bounded-map.ts'
import type { Certificate } from './read-certificate.ts'
import { x509Algorithms } from './signature-algorithms.ts'

// That one certificate signed another never changes. Validity periods are checked each time.
const verifiedPairs = boundedMap<string, true>(2_000)

/** True if `certificate` names `issuer` and carries its signature. Does not check that the issuer may certify. */
export function isIssuedBy(certificate: Certificate, issuer: Certificate): boolean {
  if (certificate.issuer.der !== issuer.subject.der) return false
  const pair = certificate.fingerprint + issuer.fingerprint
  if (verifiedPairs.get(pair) === true) return true

  if (!x509Algorithms.has(certificate.signature_oid) || issuer.key === undefined) return false
  if (!certificate.x509.verify(issuer.key.key)) return false
  verifiedPairs.set(pair, true)
  return true
}
