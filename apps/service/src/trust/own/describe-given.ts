import { describeCertificate, type DescribedCertificate } from '../anchors/describe.ts'
import { readGivenAnchors, type GivenAnchors } from '../anchors/read-pem.ts'

/** What the certificates of a PEM text are, for whoever is asked whether to trust them. What could not be added is refused here already. */
export function describeGivenAnchors(given: GivenAnchors): DescribedCertificate[] {
  return readGivenAnchors(given).map(({ certificate }) => describeCertificate(certificate))
}
