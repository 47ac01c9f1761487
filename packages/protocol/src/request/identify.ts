import { createHash, X509Certificate } from 'node:crypto'

export type VerifierIdentity = {
  client_id: string
  /** The leaf first, without the trust anchor (HAIP 1.0 §5): base64 DER, as RFC 7515 §4.1.6 requires. */
  x5c: string[]
}

export type IdentityOptions = {
  /** DER, the leaf first, each signed by the next. */
  certificates: readonly Uint8Array[]
  /** HAIP requires `x509_hash`. */
  prefix: 'x509_hash' | 'x509_san_dns'
}

/** Builds the verifier's identity. Throws for certificates that no wallet would accept, so that the operator replaces them. */
export function identifyVerifier({ certificates, prefix }: IdentityOptions): VerifierIdentity {
  const chain = certificates.map((certificate) => new X509Certificate(certificate))
  const [leaf, ...issuers] = chain
  if (leaf === undefined) throw new Error('the verifier has no certificate')
  if (isSelfSigned(leaf))
    throw new Error("the verifier's certificate is self-signed; wallets refuse such certificates")
  if (leaf.publicKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new Error("the verifier's certificate must have a P-256 key")
  }
  for (const [index, issuer] of issuers.entries()) {
    if (chain[index]?.verify(issuer.publicKey) !== true) {
      throw new Error(`certificate ${index + 1} of the verifier is not signed by the next`)
    }
  }
  const sentCertificates = [leaf, ...issuers.filter((issuer) => !isSelfSigned(issuer))]
  return {
    client_id: buildClientId(leaf, prefix),
    x5c: sentCertificates.map(({ raw }) => raw.toString('base64')),
  }
}

/** OpenID4VP 1.0 §5.9.3 */
function buildClientId(leaf: X509Certificate, prefix: IdentityOptions['prefix']): string {
  if (prefix === 'x509_hash') return `x509_hash:${createHash('sha256').update(leaf.raw).digest('base64url')}`
  const name = /(?:^|, )DNS:([A-Za-z0-9.-]+)(?:,|$)/.exec(leaf.subjectAltName ?? '')?.[1]
  if (name === undefined) throw new Error("the verifier's certificate has no DNS name")
  return `x509_san_dns:${name}`
}

function isSelfSigned(certificate: X509Certificate): boolean {
  return certificate.checkIssued(certificate) && certificate.verify(certificate.publicKey)
}
