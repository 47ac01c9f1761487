import { X509Certificate } from 'node:crypto'

/** A reserved name that never resolves (RFC 2606). In every installation, the sandbox's status lists are on this host. */
const sandboxHost = 'sandbox.invalid'

/** The organisation in the subject or issuer of every sandbox certificate, in OpenSSL's notation. */
const sandboxOrganization = /^O=Vidimus Sandbox$/m

/**
 * Whether a certificate belongs to a sandbox, of this installation or another. Live trusts none of them, however they were
 * added (TRUST-2): their keys are available to anyone who can create test documents.
 */
export function isSandboxCertificate(certificate: Uint8Array): boolean {
  // Lists have thousands of certificates, and reading each would hold up everything else. A sandbox writes names in UTF-8.
  if (!toBuffer(certificate).includes('Vidimus Sandbox')) return false
  const { subject, issuer } = new X509Certificate(certificate)
  return sandboxOrganization.test(subject) || sandboxOrganization.test(issuer)
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** Whether a status list is the sandbox's. Such a list is never fetched over the network. */
export function isSandboxUri(uri: string): boolean {
  return URL.parse(uri)?.hostname === sandboxHost
}
