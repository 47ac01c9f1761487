import { randomInt } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { encodeCbor, type Cbor } from '../cbor/encode.ts'
import type { UnsignedCredential } from '../documents/credential.ts'
import { toCoseArray, signCose } from '../keys/sign-cose.ts'
import { base64url, signJws, type JsonObject } from '../keys/sign-jws.ts'
import type { Issuer } from './create-issuer.ts'
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

/** Where a document's status stands (Token Status List §6.2). */
export type StatusReference = { readonly idx: number; readonly uri: string }

export type StatusListToken =
  | { readonly media: 'jwt'; readonly token: string }
  | { readonly media: 'cwt'; readonly token: Uint8Array }

/** The current list, those that are made in another way, and those that something is wrong with. `absent` is never served. */
export type StatusListName = keyof typeof statusLists | 'absent'

type StatusListDraft = {
  root: RootName
  signer: Signer
  type: string
  subject: string
  issued_at: Date
  expires_at: Date
  bits: number
  /** Around the COSE_Sign1 of a CWT, the innermost first. */
  tags: readonly number[]
}

/** The statuses are fixed by their place, so that every process that holds the issuer serves the same list. */
const statusIndexes = { revoked: 1, suspended: 2 } as const
const firstValidIndex = 3
export const statusListSize = 1024

const day_ms = 86_400_000
const coseSign1Tag = 18

const statusLists = {
  current: (original: StatusListDraft) => original,
  /** Signed by whoever signs the documents: the PID's signer, or that of the driving licence. */
  same_signer: (original: StatusListDraft, issuer: Issuer) => ({
    ...original,
    signer: original.root === 'persons' ? issuer.signers.pid : issuer.signers.mdl,
  }),
  /** The same, after that signer's certificate and key were renewed. */
  renewed_signer: (original: StatusListDraft, issuer: Issuer) => ({
    ...original,
    signer: createSigner(
      issuer.hierarchies[original.root],
      signerDraft(original.root === 'persons' ? 'pid' : 'mdl', issuer.algorithm, original.issued_at),
    ),
  }),
  /** RFC 8392 §6: the tag of a CWT around that of COSE_Sign1. */
  cwt_tag: (original: StatusListDraft) => ({ ...original, tags: [coseSign1Tag, 61] }),
  /** COSE_Sign1 without a tag (RFC 9052 §2). */
  untagged: (original: StatusListDraft) => ({ ...original, tags: [] }),
  /** Signed below the right root by another signer, who is not certified to sign status lists. */
  other_signer: (original: StatusListDraft, issuer: Issuer) => {
    const draft = signerDraft('pilot', issuer.algorithm, original.issued_at)
    const name = { ...draft.name, common_name: 'Sandbox Other Signer' }
    return { ...original, signer: createSigner(issuer.hierarchies[original.root], { ...draft, name }) }
  },
  wrongly_signed: (original: StatusListDraft, issuer: Issuer) => ({
    ...original,
    signer: { ...original.signer, key: issuer.signers.pid_de.key },
  }),
  /** Signed by the sandbox, but below the root that does not vouch for the document. */
  other_root: (original: StatusListDraft, issuer: Issuer) => ({
    ...original,
    signer:
      original.signer === issuer.signers.persons_status
        ? issuer.signers.mobile_status
        : issuer.signers.persons_status,
  }),
  other_subject: (original: StatusListDraft) => ({ ...original, subject: `${original.subject}/another` }),
  other_type: (original: StatusListDraft) => ({ ...original, type: 'jwt' }),
  lapsed: (original: StatusListDraft) => ({
    ...original,
    expires_at: new Date(original.issued_at.getTime() - day_ms),
  }),
}

/** The reference that goes into a document. */
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

/** What is changed in a token before it is signed. */
export type StatusListEdits = {
  jwt_header?: (original: JsonObject) => JsonObject
  jwt_claims?: (original: JsonObject) => JsonObject
  cwt_header?: (original: Map<Cbor, Cbor>) => Map<Cbor, Cbor>
  cwt_claims?: (original: Map<Cbor, Cbor>) => Map<Cbor, Cbor>
}

/** Serves the list at a URI; undefined where there is none. */
export function serveStatusList(
  issuer: Issuer,
  uri: string,
  now: Date,
  edits: StatusListEdits = {},
): StatusListToken | undefined {
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
  // The pattern and the look-up above leave no other values.
  return {
    root: root as RootName,
    list: list as keyof typeof statusLists,
    media: media as StatusListToken['media'],
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

/** Token Status List §5.2: COSE_Sign1 under its tag, the claims by number. */
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

/** Status values of §7.1, the lowest bits of a byte first (§4.1). */
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
