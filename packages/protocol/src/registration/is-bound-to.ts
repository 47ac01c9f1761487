import type { ReadResult } from '../input-error.ts'
import { readCertificate } from '../x509/read-certificate.ts'
import type { CertificateSubject, Registration } from './registration.ts'

/**
 * Whether a registration belongs to the party that signs requests with this access certificate (DER): their identifiers are
 * equal (ETSI TS 119 475 GEN-5.1.1-03). If the registration names an intermediary, only the intermediary's counts.
 */
export function isBoundTo(
  { identifiers, intermediary }: Pick<Registration, 'identifiers' | 'intermediary'>,
  accessCertificate: Uint8Array,
): boolean {
  const subject = readCertificateSubject(accessCertificate)
  if ('error' in subject) return false
  const { organization_identifier, serial_number } = subject.value
  // Of a natural person, who has no organisation identifier (§5.1.4).
  const presented = organization_identifier ?? serial_number
  if (presented === undefined) return false
  return intermediary === undefined
    ? identifiers.some(({ identifier }) => identifier === presented)
    : intermediary.identifier === presented
}

/** Who a certificate (DER) was issued to. */
export function readCertificateSubject(certificate: Uint8Array): ReadResult<CertificateSubject> {
  const read = readCertificate(certificate)
  if ('error' in read) return read
  const { common_name, organization, organization_identifier, serial_number, country } = read.value.subject
  return {
    value: {
      ...(common_name !== undefined && { common_name }),
      ...(organization !== undefined && { organization }),
      ...(organization_identifier !== undefined && { organization_identifier }),
      ...(serial_number !== undefined && { serial_number }),
      ...(country !== undefined && { country }),
    },
  }
}
