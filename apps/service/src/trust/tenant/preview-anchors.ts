import { describeCertificate, type CertificateSummary } from '../anchors/describe.ts'
import { readNewAnchors, type PemAnchors } from '../anchors/read-pem.ts'

/** Describes the certificates of a PEM text for a person to confirm. What could not be added is refused here already. */
export function previewAnchors(input: PemAnchors): CertificateSummary[] {
  return readNewAnchors(input).map(({ certificate }) => describeCertificate(certificate))
}
