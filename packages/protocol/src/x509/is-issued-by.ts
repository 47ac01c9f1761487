import { boundedMap } from '../bounded-map.ts'
import type { Certificate } from './read-certificate.ts'

/** ECDSA and RSA with SHA-2, and Ed25519 (RFC 5758, RFC 4055, RFC 8410). Nothing with SHA-1 or MD5. */
const acceptedAlgorithms: ReadonlySet<string> = new Set([
  '1.2.840.10045.4.3.2',
  '1.2.840.10045.4.3.3',
  '1.2.840.10045.4.3.4',
  '1.2.840.113549.1.1.11',
  '1.2.840.113549.1.1.12',
  '1.2.840.113549.1.1.13',
  '1.3.101.112',
])

// That one certificate signed another never changes. Validity periods are checked each time.
const verifiedPairs = boundedMap<string, true>(2_000)

/** True if `certificate` names `issuer` and carries its signature. Does not check that the issuer may certify. */
export function isIssuedBy(certificate: Certificate, issuer: Certificate): boolean {
  if (certificate.issuer.der !== issuer.subject.der) return false
  const pair = certificate.fingerprint + issuer.fingerprint
  if (verifiedPairs.get(pair) === true) return true

  if (!acceptedAlgorithms.has(certificate.signature_oid) || issuer.key === undefined) return false
  if (!certificate.x509.verify(issuer.key.key)) return false
  verifiedPairs.set(pair, true)
  return true
}
