import { createHash, X509Certificate } from 'node:crypto'
import { demand, isNonEmptyArray, shown, type Complaint } from './complaint.ts'

export type CertificateFacts = {
  x5c: unknown
  client_id: string
  response_uri: unknown
  now: Date
  /** The roots of access certificates that the wallet knows; without any it checks the chain as far as it is shown. */
  anchors: readonly Uint8Array[]
}

/** HAIP 1.0 §5: a leaf, whatever stands above it, and never the anchor. */
const longestChain = 5

/** Holds the verifier's certificates against its client identifier (OpenID4VP 1.0 §5.9.3). */
export function checkCertificate(facts: CertificateFacts): {
  leaf?: X509Certificate
  complaints: Complaint[]
} {
  const chain = readChain(facts.x5c)
  const leaf = chain?.[0]
  if (chain === undefined || leaf === undefined) {
    const message = `x5c is ${shown(facts.x5c)}, not 1-${longestChain} certificates in base64`
    return { complaints: demand(false, 'x5c.form', 'RFC 7515 §4.1.6', message) }
  }
  return {
    leaf,
    complaints: [
      ...checkLeaf(leaf),
      ...checkOrder(chain),
      ...checkValidity(chain, facts.now),
      ...checkAnchor(chain, facts.anchors),
      ...checkClientId(leaf, facts),
    ],
  }
}

function readChain(x5c: unknown): X509Certificate[] | undefined {
  if (!isNonEmptyArray(x5c) || x5c.length > longestChain) return undefined
  try {
    return x5c.map((text) => new X509Certificate(Buffer.from(String(text), 'base64')))
  } catch {
    // X509Certificate throws for what is no certificate.
    return undefined
  }
}

function checkLeaf(leaf: X509Certificate): Complaint[] {
  return [
    ...demand(!isSelfSigned(leaf), 'x5c.leaf', 'HAIP 1.0 §5', 'the leaf is self-signed'),
    ...demand(!leaf.ca, 'x5c.leaf', 'RFC 5280 §4.2.1.9', 'the leaf is the certificate of an authority'),
  ]
}

function checkOrder(chain: readonly X509Certificate[]): Complaint[] {
  const broken = chain.slice(1).some((above, index) => chain[index]?.verify(above.publicKey) !== true)
  const last = chain.at(-1)
  return [
    ...demand(!broken, 'x5c.order', 'RFC 7515 §4.1.6', 'a certificate is not signed by the one after it'),
    ...demand(
      chain.length === 1 || last === undefined || !isSelfSigned(last),
      'x5c.anchor',
      'HAIP 1.0 §5',
      'the trust anchor is enclosed',
    ),
  ]
}

function checkValidity(chain: readonly X509Certificate[], now: Date): Complaint[] {
  return chain.flatMap(({ validFromDate, validToDate }, index) =>
    demand(
      validFromDate <= now && now <= validToDate,
      'x5c.validity',
      'RFC 5280 §4.1.2.5',
      `certificate ${index} is valid from ${validFromDate.toISOString()} to ${validToDate.toISOString()}`,
    ),
  )
}

function checkAnchor(chain: readonly X509Certificate[], anchors: readonly Uint8Array[]): Complaint[] {
  const last = chain.at(-1)
  const known = anchors.some((anchor) => last?.verify(new X509Certificate(anchor).publicKey) === true)
  const message = 'no authority that this wallet knows stands above the certificates'
  return demand(anchors.length === 0 || known, 'x5c.trust', 'OpenID4VP 1.0 §5.9.3', message)
}

function checkClientId(leaf: X509Certificate, { client_id, response_uri }: CertificateFacts): Complaint[] {
  const colon = client_id.indexOf(':')
  const prefix = client_id.slice(0, colon)
  const rest = client_id.slice(colon + 1)
  switch (prefix) {
    case 'x509_hash': {
      const hash = createHash('sha256').update(leaf.raw).digest('base64url')
      const message = `${shown(rest)} is not ${hash}, the hash of the leaf`
      return demand(rest === hash, 'client_id.x509_hash', 'OpenID4VP 1.0 §5.9.3', message)
    }
    case 'x509_san_dns': {
      const names = leaf.subjectAltName?.split(', ') ?? []
      const host = typeof response_uri === 'string' ? URL.parse(response_uri)?.hostname : undefined
      return [
        ...demand(
          names.includes(`DNS:${rest}`),
          'client_id.x509_san_dns',
          'OpenID4VP 1.0 §5.9.3',
          `${shown(rest)} is none of the leaf's names ${shown(names)}`,
        ),
        ...demand(
          host === rest,
          'client_id.response_uri',
          'OpenID4VP 1.0 §5.9.3',
          `the host of response_uri is ${shown(host)}, not ${shown(rest)}`,
        ),
      ]
    }
    default:
      return demand(
        false,
        'client_id.prefix',
        'OpenID4VP 1.0 §5.9.3',
        `${shown(client_id)} begins neither x509_hash: nor x509_san_dns:`,
      )
  }
}

function isSelfSigned(certificate: X509Certificate): boolean {
  return certificate.verify(certificate.publicKey)
}
