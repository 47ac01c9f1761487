import { randomInt } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { encodeCbor, type Cbor } from '../cbor/encode.ts'
import type { UnsignedCredential } from '../documents/credential.ts'
import { toCoseArray, signCose } from '../keys/sign-cose.ts'
import { base64url, signJws, type JsonObject } from '../keys/sign-jws.ts'
import type { Issuer } from './create-issuer.ts'
import { revokedSerial, serveCrl } from './crls.ts'
import { serveIdentifierList } from './identifier-lists.ts'
import { serveOcsp } from './ocsp.ts'
import {
  coseHeaders,
  createSigner,
  findRootName,
  signerDraft,
  x5c,
  type RootName,
  type Signer,
} from './signer.ts'
import { unixSeconds } from './validity-period.ts'

/** A reference to a document's status (Token Status List §6.2). */
export type StatusReference = { readonly idx: number; readonly uri: string }

export type StatusListToken =
  | { readonly media: 'crl' | 'ocsp'; readonly token: Uint8Array }
  | { readonly media: 'jwt'; readonly token: string }
  | { readonly media: 'cwt'; readonly token: Uint8Array }

/** The regular list, valid variants of it, and invalid ones. `absent` is never served. */
export type StatusListName = keyof typeof statusLists | 'absent'

type StatusListDraft = {
  root: RootName
  signer: Signer
  type: string
  subject: string
  issued_at: Date
  expires_at: Date
  bits: number
  /** The tags around the COSE_Sign1 of a CWT, innermost first. */
  tags: readonly number[]
}

/** Fixed indexes, so that every process with this issuer serves the same list. */
const statusIndexes = { revoked: 1, suspended: 2 } as const
const firstValidIndex = 3
export const statusListSize = 1024

const day_ms = 86_400_000
const coseSign1Tag = 18

const statusLists = {
  current: (original: StatusListDraft) => original,
  /** Signed by a document signer: the PID's or the driving licence's. */
  same_signer: (original: StatusListDraft, issuer: Issuer) => ({
    ...original,
    signer: original.root === 'persons' ? issuer.signers.pid : issuer.signers.mdl,
  }),
  /** Signed by the same document signer with a renewed key and certificate. */
  renewed_signer: (original: StatusListDraft, issuer: Issuer) => ({
    ...original,
    signer: createSigner(
      issuer.hierarchies[original.root],
      signerDraft(original.root === 'persons' ? 'pid' : 'mdl', issuer, original.issued_at),
    ),
  }),
  /** Signed by a status signer whose certificate was revoked. */
  revoked_signer: (original: StatusListDraft, issuer: Issuer) => ({
    ...original,
    signer: createSigner(issuer.hierarchies[original.root], {
      ...signerDraft(`${original.root}_status`, issuer, original.issued_at),
      serial: revokedSerial,
    }),
  }),
  /** With the CWT tag around the COSE_Sign1 tag (RFC 8392 §6). */
  cwt_tag: (original: StatusListDraft) => ({ ...original, tags: [coseSign1Tag, 61] }),
  /** COSE_Sign1 without a tag (RFC 9052 §2). */
  untagged: (original: StatusListDraft) => ({ ...original, tags: [] }),
  /** Signed by another signer under the right root that is not certified to sign status lists. */
  other_signer: (original: StatusListDraft, issuer: Issuer) => {
    const draft = signerDraft('pilot', issuer, original.issued_at)
    const name = { ...draft.name, common_name: 'Sandbox Other Signer' }
    return { ...original, signer: createSigner(issuer.hierarchies[original.root], { ...draft, name }) }
  },
  wrongly_signed: (original: StatusListDraft, issuer: Issuer) => ({
    ...original,
    signer: { ...original.signer, key: issuer.signers.pid_de.key },
  }),
  /** Signed by the status signer of the other root. */
  other_root: (original: StatusListDraft, issuer: Issuer) => ({
    ...original,
    signer:
      original.signer === issuer.signers.persons_status
        ? issuer.signers.mobile_status
        : issuer.signers.persons_status,
  }),
  other_subject: (original: StatusListDraft) => ({ ...original, subject: `${original.subject}/another` }),
  other_type: (original: StatusListDraft) => ({ ...original, type: 'jwt' }),
  expired: (original: StatusListDraft) => ({
    ...original,
    expires_at: new Date(original.issued_at.getTime() - day_ms),
  }),
}

/** Creates the status reference of a credential. */
export function statusReference(
  issuer: Issuer,
  { document, format, condition }: UnsignedCredential,
  list: StatusListName = 'current',
): StatusReference {
  const idx =
    condition === 'revoked' || condition === 'suspended'
      ? statusIndexes[condition]
      : randomInt(firstValidIndex, statusListSize)
  const media = format === 'dc+sd-jwt' ? 'jwt' : 'cwt'
  return { idx, uri: `${issuer.status_uri}/${findRootName(document)}/${list}.${media}` }
}

/** Changes to a status list token before it is signed. */
export type StatusListEdits = {
  jwt_header?: (original: JsonObject) => JsonObject
  jwt_claims?: (original: JsonObject) => JsonObject
  cwt_header?: (original: Map<Cbor, Cbor>) => Map<Cbor, Cbor>
  cwt_claims?: (original: Map<Cbor, Cbor>) => Map<Cbor, Cbor>
}

/** Returns the status list, identifier list, certificate revocation list or OCSP response at a URI, or undefined if there is none. */
export function serveStatusList(
  issuer: Issuer,
  uri: string,
  now: Date,
  edits: StatusListEdits = {},
): StatusListToken | undefined {
  const crl = serveCrl(issuer, uri, now)
  if (crl !== undefined) return { media: 'crl', token: crl }
  const ocsp = serveOcsp(issuer, uri, now)
  if (ocsp !== undefined) return { media: 'ocsp', token: ocsp }
  const identifiers = serveIdentifierList(issuer, uri, now)
  if (identifiers !== undefined) return { media: 'cwt', token: identifiers }
  const { root, list, media } = parseStatusUri(issuer, uri) ?? {}
  if (root === undefined || list === undefined) return undefined
  const draft = statusLists[list](
    {
      root,
      signer: issuer.signers[`${root}_status`],
      type: `statuslist+${media}`,
      subject: uri,
      issued_at: now,
      expires_at: new Date(now.getTime() + day_ms),
      bits: 2,
      tags: [coseSign1Tag],
    },
    issuer,
  )
  return media === 'jwt'
    ? { media, token: signJwtList(draft, edits) }
    : { media: 'cwt', token: signCwtList(draft, edits) }
}

function parseStatusUri(issuer: Issuer, uri: string) {
  if (!uri.startsWith(`${issuer.status_uri}/`)) return undefined
  const [, root, list, media] =
    /^(persons|mobile)\/([a-z_]{1,20})\.(jwt|cwt)$/.exec(uri.slice(issuer.status_uri.length + 1)) ?? []
  if (list === undefined || !Object.hasOwn(statusLists, list)) return undefined
  // The pattern and the lookup above allow no other values.
  return {
    root: root as RootName,
    list: list as keyof typeof statusLists,
    media: media as 'jwt' | 'cwt',
  }
}

/** Token Status List §5.1. */
function signJwtList(
  { signer, type, subject, issued_at: issuedAt, expires_at: expiresAt, bits }: StatusListDraft,
  { jwt_header = unchanged, jwt_claims = unchanged }: StatusListEdits,
): string {
  const header = { alg: signer.key.algorithm, typ: type, x5c: x5c(signer) }
  const claims = {
    sub: subject,
    iat: unixSeconds(issuedAt),
    exp: unixSeconds(expiresAt),
    ttl: 3600,
    status_list: { bits, lst: base64url(compressedStatuses(bits)) },
  }
  return signJws(jwt_header(header), jwt_claims(claims), signer.key)
}

function unchanged<T>(original: T): T {
  return original
}

/** Token Status List §5.2: COSE_Sign1 with its tag, claims by number. */
function signCwtList(
  { signer, type, subject, issued_at: issuedAt, expires_at: expiresAt, bits, tags }: StatusListDraft,
  { cwt_header = unchanged, cwt_claims = unchanged }: StatusListEdits,
): Uint8Array {
  const claims = new Map<Cbor, Cbor>([
    [2, subject],
    [6, unixSeconds(issuedAt)],
    [4, unixSeconds(expiresAt)],
    [65534, 3600],
    [
      65533,
      new Map<Cbor, Cbor>([
        ['bits', bits],
        ['lst', compressedStatuses(bits)],
      ]),
    ],
  ])
  const { protected_header, unprotected_header } = coseHeaders(signer)
  const message = signCose(
    {
      protected_header: cwt_header(protected_header.set(16, `application/${type}`)),
      unprotected_header,
      payload: encodeCbor(cwt_claims(claims)),
    },
    signer.key,
  )
  return encodeCbor(tags.reduce<Cbor>((value, tag) => ({ tag, value }), toCoseArray(message)))
}

/** The status values of §7.1, least significant bits first (§4.1). */
function compressedStatuses(bits: number): Uint8Array {
  const bytes = new Uint8Array((statusListSize * bits) / 8)
  for (const [value, index] of [
    [1, statusIndexes.revoked],
    [2, statusIndexes.suspended],
  ] as const) {
    const bit = index * bits
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (value << (bit & 7))
  }
  return deflateSync(bytes, { level: 9 })
}
