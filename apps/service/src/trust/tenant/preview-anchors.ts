import { describeCertificate, type CertificateSummary } from '../anchors/describe.ts'
import { readNewAnchors, type PemAnchors } from '../anchors/read-pem.ts'

/** What the certificates of a PEM text are, for whoever is asked whether to trust them. What could not be added is refused here already. */
export function previewAnchors(input: PemAnchors): CertificateSummary[] {
  return readNewAnchors(input).map(({ certificate }) => describeCertificate(certificate))
}
