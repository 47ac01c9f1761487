import { authorityKeyIdentifier, fullName, type Extension } from '../certificates/extensions.ts'
import { implicit, integer, sequence } from '../certificates/der.ts'
import { signCrl, type CrlDraft } from '../certificates/sign-crl.ts'
import type { Authority } from '../certificates/authority.ts'
import type { CrlAuthority, CrlName } from './crl-uri.ts'
import type { Issuer } from './create-issuer.ts'
import type { RootName } from './signer.ts'

type SandboxCrlDraft = CrlDraft & { authority: Authority; uri: string }

/** Every CRL of the sandbox names it: a fixed number, so that every process with this issuer serves the same list. */
export const revokedSerial: Uint8Array = Buffer.from('52455650000000000000000000000001', 'hex')
/** Revoked as well, in every CRL: some entries before and after the one that is looked for. */
const otherRevokedSerials = ['01', '52455650000000000000000000000002', 'ff00000000000000'].map((serial) =>
  Buffer.from(serial, 'hex'),
)

const day_ms = 86_400_000

type AlterCrl = (original: SandboxCrlDraft, issuer: Issuer) => SandboxCrlDraft

const crls = {
  current: (original: SandboxCrlDraft) => original,
  /** With an issuing distribution point that names the place of the list (RFC 5280 §5.2.5). */
  scoped: (original: SandboxCrlDraft) => withExtension(original, issuingPoint(fullName(original.uri))),
  /** No certificate is revoked. */
  empty: (original: SandboxCrlDraft) => ({ ...original, revoked: [] }),
  expired: (original: SandboxCrlDraft) => ({
    ...original,
    issued_at: new Date(original.issued_at.getTime() - 2 * day_ms),
    next_update: new Date(original.issued_at.getTime() - day_ms),
  }),
  /** In the name of the right authority, signed with the key of another. */
  wrongly_signed: (original: SandboxCrlDraft, issuer: Issuer) => ({
    ...original,
    authority: { ...original.authority, key: otherAuthority(original, issuer).key },
  }),
  /** A genuine list of another authority. */
  other_authority: (original: SandboxCrlDraft, issuer: Issuer) => {
    const authority = otherAuthority(original, issuer)
    return { ...original, authority, issuer: authority.name }
  },
  other_place: (original: SandboxCrlDraft) =>
    withExtension(original, issuingPoint(fullName(`${original.uri}/another`))),
  only_authorities: (original: SandboxCrlDraft) =>
    withExtension(original, issuingPoint(implicit(2, Uint8Array.of(0xff)))),
  indirect: (original: SandboxCrlDraft) =>
    withExtension(original, issuingPoint(implicit(4, Uint8Array.of(0xff)))),
  delta: (original: SandboxCrlDraft) =>
    withExtension(original, { oid: '2.5.29.27', critical: true, value: integer(1) }),
  unknown_extension: (original: SandboxCrlDraft) =>
    withExtension(original, { oid: '1.3.6.1.4.1.99999.1', critical: true, value: Uint8Array.of(5, 0) }),
} satisfies Record<Exclude<CrlName, 'absent'>, AlterCrl>

/** Returns the CRL at a URI, or undefined if there is none. */
export function serveCrl(issuer: Issuer, uri: string, now: Date): Uint8Array | undefined {
  const { root, level, list } = parseCrlUri(issuer, uri) ?? {}
  if (root === undefined || level === undefined || list === undefined) return undefined
  const authority = issuer.hierarchies[root][level]
  const { authority: signer, ...draft } = crls[list](
    {
      authority,
      uri,
      issuer: authority.name,
      issued_at: now,
      next_update: new Date(now.getTime() + day_ms),
      revoked: [...otherRevokedSerials, revokedSerial].map((serial) => ({ serial })),
      extensions: [
        authorityKeyIdentifier(authority.key.public_key),
        { oid: '2.5.29.20', critical: false, value: integer(1) },
      ],
    },
    issuer,
  )
  return signCrl(draft, signer.key)
}

function parseCrlUri(issuer: Issuer, uri: string) {
  if (!uri.startsWith(`${issuer.status_uri}/crl/`)) return undefined
  const [, root, level, list] =
    /^(persons|mobile)_(root|issuing)\/([a-z_]{1,20})\.crl$/.exec(
      uri.slice(issuer.status_uri.length + '/crl/'.length),
    ) ?? []
  if (list === undefined || !Object.hasOwn(crls, list)) return undefined
  // The pattern and the lookup above allow no other values.
  return { root: root as RootName, level: level as CrlLevel, list: list as keyof typeof crls }
}

type CrlLevel = CrlAuthority extends `${string}_${infer Level}` ? Level : never

function otherAuthority({ authority }: SandboxCrlDraft, { hierarchies }: Issuer): Authority {
  return authority === hierarchies.mobile.root ? hierarchies.persons.issuing : hierarchies.mobile.root
}

function issuingPoint(member: Uint8Array): Extension {
  return { oid: '2.5.29.28', critical: true, value: sequence(member) }
}

function withExtension(draft: SandboxCrlDraft, extension: Extension): SandboxCrlDraft {
  return { ...draft, extensions: [...draft.extensions, extension] }
}
