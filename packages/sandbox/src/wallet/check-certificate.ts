import { createHash, X509Certificate } from 'node:crypto'
import { violationUnless, isNonEmptyArray, formatValue, type Violation } from './violation.ts'

export type CertificateInput = {
  x5c: unknown
  /** The identifier that the leaf must match. Absent where the protocol has none. */
  client_id?: string
  /** The leaf must also be valid for its host. Absent where the protocol has none. */
  response_uri?: unknown
  now: Date
  /** The trusted roots of access certificates. If empty, the wallet checks only the certificates in `x5c`. */
  anchors: readonly Uint8Array[]
}

/** HAIP 1.0 §5: a leaf and its intermediates, without the trust anchor. */
const maxChainLength = 5

/** Checks the verifier's certificates and that they match its client identifier (OpenID4VP 1.0 §5.9.3). */
export function checkCertificate(input: CertificateInput): {
  leaf?: X509Certificate
  violations: Violation[]
} {
  const chain = readChain(input.x5c)
  const leaf = chain?.[0]
  if (chain === undefined || leaf === undefined) {
    const message = `x5c is ${formatValue(input.x5c)}, not 1-${maxChainLength} certificates in base64`
    return { violations: violationUnless(false, 'x5c.form', 'RFC 7515 §4.1.6', message) }
  }
  return {
    leaf,
    violations: [
      ...checkLeaf(leaf),
      ...checkOrder(chain),
      ...checkValidity(chain, input.now),
      ...checkAnchor(chain, input.anchors),
      ...checkClientId(leaf, input),
    ],
  }
}

function readChain(x5c: unknown): X509Certificate[] | undefined {
  if (!isNonEmptyArray(x5c) || x5c.length > maxChainLength) return undefined
  try {
    return x5c.map((text) => new X509Certificate(Buffer.from(String(text), 'base64')))
  } catch {
    // X509Certificate throws if the bytes are not a certificate.
    return undefined
  }
}

function checkLeaf(leaf: X509Certificate): Violation[] {
  return [
    ...violationUnless(!isSelfSigned(leaf), 'x5c.leaf', 'HAIP 1.0 §5', 'the leaf is self-signed'),
    ...violationUnless(!leaf.ca, 'x5c.leaf', 'RFC 5280 §4.2.1.9', 'the leaf is a CA certificate'),
  ]
}

function checkOrder(chain: readonly X509Certificate[]): Violation[] {
  const isBroken = chain.slice(1).some((above, index) => chain[index]?.verify(above.publicKey) !== true)
  const last = chain.at(-1)
  return [
    ...violationUnless(
      !isBroken,
      'x5c.order',
      'RFC 7515 §4.1.6',
      'a certificate is not signed by the one after it',
    ),
    ...violationUnless(
      chain.length === 1 || last === undefined || !isSelfSigned(last),
      'x5c.anchor',
      'HAIP 1.0 §5',
      'x5c includes the trust anchor',
    ),
  ]
}

function checkValidity(chain: readonly X509Certificate[], now: Date): Violation[] {
  return chain.flatMap(({ validFromDate, validToDate }, index) =>
    violationUnless(
      validFromDate <= now && now <= validToDate,
      'x5c.validity',
      'RFC 5280 §4.1.2.5',
      `certificate ${index} is valid from ${validFromDate.toISOString()} to ${validToDate.toISOString()}`,
    ),
  )
}

function checkAnchor(chain: readonly X509Certificate[], anchors: readonly Uint8Array[]): Violation[] {
  const last = chain.at(-1)
  const known = anchors.some((anchor) => last?.verify(new X509Certificate(anchor).publicKey) === true)
  const message = 'the chain does not end at a root that this wallet trusts'
  return violationUnless(anchors.length === 0 || known, 'x5c.trust', 'OpenID4VP 1.0 §5.9.3', message)
}

function checkClientId(leaf: X509Certificate, input: CertificateInput): Violation[] {
  const { client_id, response_uri } = input
  if (client_id === undefined) return []
  const colon = client_id.indexOf(':')
  const prefix = client_id.slice(0, colon)
  const rest = client_id.slice(colon + 1)
  switch (prefix) {
    case 'x509_hash': {
      const hash = createHash('sha256').update(leaf.raw).digest('base64url')
      const message = `${formatValue(rest)} is not ${hash}, the hash of the leaf`
      return violationUnless(rest === hash, 'client_id.x509_hash', 'OpenID4VP 1.0 §5.9.3', message)
    }
    case 'x509_san_dns': {
      const names = leaf.subjectAltName?.split(', ') ?? []
      const host = typeof response_uri === 'string' ? URL.parse(response_uri)?.hostname : undefined
      return [
        ...violationUnless(
          names.includes(`DNS:${rest}`),
          'client_id.x509_san_dns',
          'OpenID4VP 1.0 §5.9.3',
          `${formatValue(rest)} is not among the leaf's names ${formatValue(names)}`,
        ),
        ...violationUnless(
          !('response_uri' in input) || host === rest,
          'client_id.response_uri',
          'OpenID4VP 1.0 §5.9.3',
          `the host of response_uri is ${formatValue(host)}, not ${formatValue(rest)}`,
        ),
      ]
    }
    default:
      return violationUnless(
        false,
        'client_id.prefix',
        'OpenID4VP 1.0 §5.9.3',
        `${formatValue(client_id)} must begin with x509_hash: or x509_san_dns:`,
      )
  }
}

function isSelfSigned(certificate: X509Certificate): boolean {
  return certificate.verify(certificate.publicKey)
}
