import { X509Certificate } from 'node:crypto'

/** A name that no resolver knows (RFC 2606). The sandbox's status lists lie below it, in every installation. */
const sandboxHost = 'sandbox.invalid'

/** What every certificate of a sandbox says of itself or of its issuer, in OpenSSL's notation. */
const sandboxOrganization = /^O=Vidimus Sandbox$/m

/**
 * Whether a certificate is of a sandbox, this installation's or another's. Live trusts none of them, by whatever way it came
 * (TRUST-2): their keys lie where test documents are made.
 */
export function isSandboxCertificate(certificate: Uint8Array): boolean {
  const { subject, issuer } = new X509Certificate(certificate)
  return sandboxOrganization.test(subject) || sandboxOrganization.test(issuer)
}

/** Whether a status list is the sandbox's. Nobody is ever asked for one over the network. */
export function isSandboxUri(uri: string): boolean {
  return URL.parse(uri)?.hostname === sandboxHost
}
