import { createHash, X509Certificate } from 'node:crypto'

/** A certificate in the form that an operator compares: the subject as OpenSSL writes it, on one line, and its SHA-256. */
export type CertificateSummary = { fingerprint: string; subject: string; not_after: string }

export function describeCertificate(der: Uint8Array): CertificateSummary {
  const { subject, validToDate } = new X509Certificate(der)
  return {
    fingerprint: computeFingerprint(der).toString('hex'),
    subject: subject.replaceAll('\n', ', '),
    not_after: validToDate.toISOString(),
  }
}

export function computeFingerprint(der: Uint8Array): Buffer {
  return createHash('sha256').update(der).digest()
}
