// oxlint-disable-next-line import/no-unassigned-import -- the certificate library needs it and does not depend on it
import 'reflect-metadata'
import { randomUUID } from 'node:crypto'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** A self-signed certificate for names or addresses, valid for one test run. */
export async function makeCertificate(...names: string[]): Promise<{ key: string; cert: string }> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    // OpenSSL finds a trusted certificate by its name, and may try only one of several that have the same.
    name: `CN=${names[0]}, OU=${randomUUID()}`,
    keys,
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
    signingAlgorithm: algorithm,
    extensions: [
      new SubjectAlternativeNameExtension(
        names.map((value) => ({ type: /^[\d.]+$/.test(value) ? 'ip' : 'dns', value })),
      ),
    ],
  })
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  return {
    cert: certificate.toString('pem'),
    key: `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`,
  }
}

/** Makes this process trust a certificate until disposed of. */
export function trustCertificate(cert: string): Disposable {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, cert])
  return { [Symbol.dispose]: () => setDefaultCACertificates(before) }
}
