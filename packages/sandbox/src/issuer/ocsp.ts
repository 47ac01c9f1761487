import { certify, validityAround, type Authority } from '../certificates/authority.ts'
import { extendedKeyUsage, keyUsage, ocspNoCheck } from '../certificates/extensions.ts'
import { refuseOcsp, signOcspResponse, type OcspDraft } from '../certificates/sign-ocsp.ts'
import { generateSigningKey } from '../keys/signing-key.ts'
import type { Issuer } from './create-issuer.ts'
import { revokedSerial } from './crls.ts'
import type { RootName } from './signer.ts'

const ocspSigningOid = '1.3.6.1.5.5.7.3.9'
const tlsServerOid = '1.3.6.1.5.5.7.3.1'
const day_ms = 86_400_000

type SandboxOcspDraft = OcspDraft & { authority: Authority; other: Authority; key: Authority['key'] }

/** The regular responder, one with a certificate of its own, and such as are wrong. `absent` never responds. */
export type OcspName = keyof typeof responders | 'absent'

const responders = {
  current: (original: SandboxOcspDraft) => original,
  /** Signed by a responder that the authority certified. */
  delegated: (original: SandboxOcspDraft) => delegate(original, original.authority, ocspSigningOid),
  unknown: (original: SandboxOcspDraft) => ({ ...original, status: 'unknown' as const }),
  expired: (original: SandboxOcspDraft) => ({
    ...original,
    issued_at: new Date(original.issued_at.getTime() - 2 * day_ms),
    next_update: new Date(original.issued_at.getTime() - day_ms),
  }),
  /** In the name of the right authority, signed with the key of another. */
  wrongly_signed: (original: SandboxOcspDraft) => ({ ...original, key: original.other.key }),
  other_authority: (original: SandboxOcspDraft) => ({
    ...original,
    responder: { name: original.other.name },
    key: original.other.key,
  }),
  /** About the certificate with the next serial number. */
  other_certificate: (original: SandboxOcspDraft) => {
    const certificate_id = Buffer.from(original.certificate_id)
    certificate_id[certificate_id.length - 1] = (certificate_id.at(-1) ?? 0) ^ 1
    return { ...original, certificate_id }
  },
  /** Signed by a certificate of the authority that is for something else. */
  other_purpose: (original: SandboxOcspDraft) => delegate(original, original.authority, tlsServerOid),
  /** Signed by a responder of another authority. */
  other_delegate: (original: SandboxOcspDraft) => delegate(original, original.other, ocspSigningOid),
  /** Not signed: the responder cannot tell. */
  refused: () => undefined,
}

/** The URI of a responder for the certificates of the authority that certifies the signers of one root. */
export function ocspUri({ status_uri }: Pick<Issuer, 'status_uri'>, root: RootName, name: OcspName): string {
  return `${status_uri}/ocsp/${root}/${name}`
}

/** The OCSP response at a URI that ends in the request (RFC 6960 §A.1), or undefined if there is none. */
export function serveOcsp(issuer: Issuer, uri: string, now: Date): Uint8Array | undefined {
  const { root, name, request } = parseOcspUri(issuer, uri) ?? {}
  if (root === undefined || name === undefined || request === undefined) return undefined
  const authority = issuer.hierarchies[root].issuing
  // OCSPRequest, TBSRequest, the list of requests, the first one: each is in the first member of the one before.
  const certificate_id = [1, 2, 3, 4].reduce<Uint8Array>(
    (element) => readMembers(element)[0] ?? element,
    request,
  )
  const serial = readContent(readMembers(certificate_id).at(-1) ?? new Uint8Array(0))
  const draft = responders[name]({
    authority,
    other: issuer.hierarchies[root === 'persons' ? 'mobile' : 'persons'].issuing,
    key: authority.key,
    responder: { name: authority.name },
    certificate_id,
    status: Buffer.from(serial).equals(revokedSerial) ? 'revoked' : 'good',
    issued_at: now,
    next_update: new Date(now.getTime() + day_ms),
    certificates: [],
  })
  return draft === undefined ? refuseOcsp() : signOcspResponse(draft, draft.key)
}

function delegate(original: SandboxOcspDraft, authority: Authority, purpose: string): SandboxOcspDraft {
  const key = generateSigningKey()
  const certificate = certify(authority, {
    ...validityAround(original.issued_at, 1, 30),
    name: { ...authority.name, common_name: 'Sandbox Responder' },
    key,
    extensions: [keyUsage('digital_signature'), extendedKeyUsage(purpose, false), ocspNoCheck],
  })
  return { ...original, responder: { key: key.public_key }, key, certificates: [certificate] }
}

function parseOcspUri(issuer: Issuer, uri: string) {
  const base = `${issuer.status_uri}/ocsp/`
  if (!uri.startsWith(base)) return undefined
  const [, root, name, encoded] =
    /^(persons|mobile)\/([a-z_]{1,20})\/([\w%]{1,1000})$/.exec(uri.slice(base.length)) ?? []
  if (name === undefined || encoded === undefined || !Object.hasOwn(responders, name)) return undefined
  return {
    // The pattern and the lookup above allow no other values.
    root: root as RootName,
    name: name as keyof typeof responders,
    request: Buffer.from(decodeURIComponent(encoded), 'base64'),
  }
}

/** The members of a sequence, each with its tag and length. */
function readMembers(element: Uint8Array): Uint8Array[] {
  const members: Uint8Array[] = []
  let rest = readContent(element)
  while (rest.length > 0) {
    const { start, length } = readHead(rest)
    members.push(rest.subarray(0, start + length))
    rest = rest.subarray(start + length)
  }
  return members
}

function readContent(element: Uint8Array): Uint8Array {
  const { start, length } = readHead(element)
  return element.subarray(start, start + length)
}

/** Nothing in a request is longer than 255 bytes. */
function readHead([, first = 0, second = 0]: Uint8Array): { start: number; length: number } {
  return first < 0x80 ? { start: 2, length: first } : { start: 3, length: second }
}
