import { randomBytes } from 'node:crypto'
import { encodeCbor, textMap, type Cbor } from '../cbor/encode.ts'
import type { UnsignedCredential } from '../documents/credential.ts'
import { signCose, toCoseArray } from '../keys/sign-cose.ts'
import type { Issuer } from './create-issuer.ts'
import { coseHeaders, createSigner, findRootName, signerDraft, type RootName, type Signer } from './signer.ts'
import { unixSeconds } from './validity-period.ts'

/** A reference to a list of revoked documents (ISO/IEC 18013-5 second edition §12.3.6). */
export type IdentifierReference = { readonly id: Uint8Array; readonly uri: string }

/** The regular list and invalid ones. `absent` is never served. */
export type IdentifierListName = keyof typeof identifierLists | 'absent'

type IdentifierListDraft = {
  root: RootName
  signer: Signer
  type: string
  subject: string
  issued_at: Date
  expires_at: Date | undefined
  identifiers: readonly Uint8Array[]
}

/** Fixed, so that every process with this issuer serves the same list. */
const revokedIdentifier = Buffer.from('7265766f6b6564', 'hex')
const otherRevokedIdentifiers = [Buffer.of(1), Buffer.alloc(32, 7)]

const day_ms = 86_400_000

const identifierLists = {
  current: (original: IdentifierListDraft) => original,
  /** Signed by another signer under the right root that is not certified to sign lists. */
  other_signer: (original: IdentifierListDraft, issuer: Issuer) => {
    const draft = signerDraft('pilot', issuer, original.issued_at)
    const name = { ...draft.name, common_name: 'Sandbox Other Signer' }
    return { ...original, signer: createSigner(issuer.hierarchies[original.root], { ...draft, name }) }
  },
  wrongly_signed: (original: IdentifierListDraft, issuer: Issuer) => ({
    ...original,
    signer: { ...original.signer, key: issuer.signers.pid_de.key },
  }),
  other_subject: (original: IdentifierListDraft) => ({
    ...original,
    subject: `${original.subject}/another`,
  }),
  other_type: (original: IdentifierListDraft) => ({ ...original, type: 'application/statuslist+cwt' }),
  expired: (original: IdentifierListDraft) => ({
    ...original,
    expires_at: new Date(original.issued_at.getTime() - day_ms),
  }),
  /** The standard requires `exp`. */
  endless: (original: IdentifierListDraft) => ({ ...original, expires_at: undefined }),
}

export function identifierReference(
  issuer: Issuer,
  { document, condition }: UnsignedCredential,
  list: IdentifierListName = 'current',
): IdentifierReference {
  return {
    id: condition === 'revoked' ? revokedIdentifier : randomBytes(16),
    uri: `${issuer.status_uri}/identifiers/${findRootName(document)}/${list}.cwt`,
  }
}

/** Returns the identifier list at a URI, or undefined if there is none. */
export function serveIdentifierList(issuer: Issuer, uri: string, now: Date): Uint8Array | undefined {
  const { root, list } = parseUri(issuer, uri) ?? {}
  if (root === undefined || list === undefined) return undefined
  return signList(
    identifierLists[list](
      {
        root,
        signer: issuer.signers[`${root}_status`],
        type: 'application/identifierlist+cwt',
        subject: uri,
        issued_at: now,
        expires_at: new Date(now.getTime() + day_ms),
        identifiers: [...otherRevokedIdentifiers, revokedIdentifier],
      },
      issuer,
    ),
  )
}

function parseUri(issuer: Issuer, uri: string) {
  const prefix = `${issuer.status_uri}/identifiers/`
  if (!uri.startsWith(prefix)) return undefined
  const [, root, list] = /^(persons|mobile)\/([a-z_]{1,20})\.cwt$/.exec(uri.slice(prefix.length)) ?? []
  if (list === undefined || !Object.hasOwn(identifierLists, list)) return undefined
  // The pattern and the lookup above allow no other values.
  return { root: root as RootName, list: list as keyof typeof identifierLists }
}

/** A CWT with the claims of a Status List Token, and 65530 for the list: a map with an empty map for each identifier. */
function signList({
  signer,
  type,
  subject,
  issued_at,
  expires_at,
  identifiers,
}: IdentifierListDraft): Uint8Array {
  const claims = new Map<Cbor, Cbor>([
    [2, subject],
    [6, unixSeconds(issued_at)],
    ...(expires_at === undefined ? [] : [[4, unixSeconds(expires_at)] as const]),
    [65534, 3600],
    [65530, textMap({ identifiers: new Map<Cbor, Cbor>(identifiers.map((id) => [id, new Map()])) })],
  ])
  const { protected_header, unprotected_header } = coseHeaders(signer)
  const message = signCose(
    {
      protected_header: protected_header.set(16, type),
      unprotected_header,
      payload: encodeCbor(claims),
    },
    signer.key,
  )
  return encodeCbor({ tag: 18, value: toCoseArray(message) })
}
