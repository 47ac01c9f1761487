import { randomInt } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { encodeCbor, type Cbor } from '../cbor/encode.ts'
import type { Holding } from '../documents/holding.ts'
import { coseArray, signCose } from '../keys/sign-cose.ts'
import { base64url, signJws, type JsonObject } from '../keys/sign-jws.ts'
import type { Issuer } from './create-issuer.ts'
import { coseHeaders, createSigner, rootOf, signerDraft, x5c, type RootName, type Signer } from './signer.ts'
import { unixSeconds } from './term.ts'

/** Where a document's status stands (Token Status List §6.2). */
export type StatusReference = { readonly idx: number; readonly uri: string }

export type StatusListToken =
  | { readonly media: 'jwt'; readonly token: string }
  | { readonly media: 'cwt'; readonly token: Uint8Array }

/** The current list, those that are made in another way, and those that something is wrong with. `absent` is never served. */
export type ListName = keyof typeof lists | 'absent'

type ListDraft = {
  root: RootName
  signer: Signer
  type: string
  subject: string
  issued: Date
  lapses: Date
  bits: number
  /** Around the COSE_Sign1 of a CWT, the innermost first. */
  tags: readonly number[]
}

/** The statuses are fixed by their place, so that every process that holds the issuer serves the same list. */
const places = { revoked: 1, suspended: 2 } as const
const firstValid = 3
export const listSize = 1024

const day = 86_400_000
const sign1Tag = 18

const lists = {
  current: (right: ListDraft) => right,
  /** Signed by whoever signs the documents: the PID's signer, or that of the driving licence. */
  same_signer: (right: ListDraft, issuer: Issuer) => ({
    ...right,
    signer: right.root === 'persons' ? issuer.signers.pid : issuer.signers.mdl,
  }),
  /** The same, after that signer's certificate and key were renewed. */
  renewed_signer: (right: ListDraft, issuer: Issuer) => ({
    ...right,
    signer: createSigner(
      issuer.hierarchies[right.root],
      signerDraft(right.root === 'persons' ? 'pid' : 'mdl', issuer.algorithm, right.issued),
    ),
  }),
  /** RFC 8392 §6: the tag of a CWT around that of COSE_Sign1. */
  cwt_tag: (right: ListDraft) => ({ ...right, tags: [sign1Tag, 61] }),
  /** COSE_Sign1 without a tag (RFC 9052 §2). */
  untagged: (right: ListDraft) => ({ ...right, tags: [] }),
  /** Signed below the right root by another signer, who is not certified to sign status lists. */
  other_signer: (right: ListDraft, issuer: Issuer) => {
    const draft = signerDraft('pilot', issuer.algorithm, right.issued)
    const name = { ...draft.name, common_name: 'Sandbox Other Signer' }
    return { ...right, signer: createSigner(issuer.hierarchies[right.root], { ...draft, name }) }
  },
  wrongly_signed: (right: ListDraft, issuer: Issuer) => ({
    ...right,
    signer: { ...right.signer, key: issuer.signers.pid_de.key },
  }),
  /** Signed by the sandbox, but below the root that does not vouch for the document. */
  other_root: (right: ListDraft, issuer: Issuer) => ({
    ...right,
    signer:
      right.signer === issuer.signers.persons_status
        ? issuer.signers.mobile_status
        : issuer.signers.persons_status,
  }),
  other_subject: (right: ListDraft) => ({ ...right, subject: `${right.subject}/another` }),
  other_type: (right: ListDraft) => ({ ...right, type: 'jwt' }),
  lapsed: (right: ListDraft) => ({ ...right, lapses: new Date(right.issued.getTime() - day) }),
}

/** The reference that goes into a document. */
export function statusReference(
  issuer: Issuer,
  { document, format, condition }: Holding,
  list: ListName = 'current',
): StatusReference {
  const idx =
    condition === 'revoked' || condition === 'suspended' ? places[condition] : randomInt(firstValid, listSize)
  const media = format === 'dc+sd-jwt' ? 'jwt' : 'cwt'
  return { idx, uri: `${issuer.status_uri}/${rootOf(document)}/${list}.${media}` }
}

/** What is changed in a token before it is signed. */
export type ListEdits = {
  jwt_header?: (right: JsonObject) => JsonObject
  jwt_claims?: (right: JsonObject) => JsonObject
  cwt_header?: (right: Map<Cbor, Cbor>) => Map<Cbor, Cbor>
  cwt_claims?: (right: Map<Cbor, Cbor>) => Map<Cbor, Cbor>
}

/** Serves the list at a URI; undefined where there is none. */
export function serveStatusList(
  issuer: Issuer,
  uri: string,
  now: Date,
  edits: ListEdits = {},
): StatusListToken | undefined {
  const { root, list, media } = readUri(issuer, uri) ?? {}
  if (root === undefined || list === undefined) return undefined
  const draft = lists[list](
    {
      root,
      signer: issuer.signers[`${root}_status`],
      type: `statuslist+${media}`,
      subject: uri,
      issued: now,
      lapses: new Date(now.getTime() + day),
      bits: 2,
      tags: [sign1Tag],
    },
    issuer,
  )
  return media === 'jwt'
    ? { media, token: jwtList(draft, edits) }
    : { media: 'cwt', token: cwtList(draft, edits) }
}

function readUri(issuer: Issuer, uri: string) {
  if (!uri.startsWith(`${issuer.status_uri}/`)) return undefined
  const [, root, list, media] =
    /^(persons|mobile)\/([a-z_]{1,20})\.(jwt|cwt)$/.exec(uri.slice(issuer.status_uri.length + 1)) ?? []
  if (list === undefined || !Object.hasOwn(lists, list)) return undefined
  // The pattern and the look-up above leave no other values.
  return {
    root: root as RootName,
    list: list as keyof typeof lists,
    media: media as StatusListToken['media'],
  }
}

/** Token Status List §5.1. */
function jwtList(
  { signer, type, subject, issued, lapses, bits }: ListDraft,
  { jwt_header = same, jwt_claims = same }: ListEdits,
): string {
  const header = { alg: signer.key.algorithm, typ: type, x5c: x5c(signer) }
  const claims = {
    sub: subject,
    iat: unixSeconds(issued),
    exp: unixSeconds(lapses),
    ttl: 3600,
    status_list: { bits, lst: base64url(compressedStatuses(bits)) },
  }
  return signJws(jwt_header(header), jwt_claims(claims), signer.key)
}

function same<T>(right: T): T {
  return right
}

/** Token Status List §5.2: COSE_Sign1 under its tag, the claims by number. */
function cwtList(
  { signer, type, subject, issued, lapses, bits, tags }: ListDraft,
  { cwt_header = same, cwt_claims = same }: ListEdits,
): Uint8Array {
  const claims = new Map<Cbor, Cbor>([
    [2, subject],
    [6, unixSeconds(issued)],
    [4, unixSeconds(lapses)],
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
  return encodeCbor(tags.reduce<Cbor>((value, tag) => ({ tag, value }), coseArray(message)))
}

/** Status values of §7.1, the lowest bits of a byte first (§4.1). */
function compressedStatuses(bits: number): Uint8Array {
  const bytes = new Uint8Array((listSize * bits) / 8)
  for (const [value, place] of [
    [1, places.revoked],
    [2, places.suspended],
  ] as const) {
    const bit = place * bits
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (value << (bit & 7))
  }
  return deflateSync(bytes, { level: 9 })
}
