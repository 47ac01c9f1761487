import { validityAround, createAuthority, type Authority } from '../certificates/authority.ts'
import type { Algorithm } from '../keys/signing-key.ts'
import {
  contactExtension,
  createSigner,
  findRootName,
  signerDraft,
  type Hierarchy,
  type RootName,
  type Signer,
  type SignerName,
} from './signer.ts'

export type Issuer = {
  readonly hierarchies: Readonly<Record<RootName, Hierarchy>>
  readonly signers: Readonly<Record<SignerName, Signer>>
  readonly algorithm: Algorithm
  /** Below which the status lists lie. */
  readonly status_uri: string
}

export type IssuerOptions = {
  now: Date
  algorithm?: Algorithm
  status_uri?: string
  /** Whose authorities they are. A verifier may refuse the sandbox's own by name; another's stand for a real issuer's. */
  organization?: string
}

/** What a verifier must trust in order to accept the sandbox's documents: each root, for its own documents only. */
export type SandboxAnchor = { certificate: Uint8Array; document_types: readonly string[] }

const personTypes = [
  'urn:eudi:pid:1',
  'urn:eudi:pid:de:1',
  'eu.europa.ec.eudi.pid.1',
  'urn:eudi:ehic:1',
  'urn:eu.europa.ec.eudi:iban:1',
  'eu.europa.ec.eudi.iban.1',
  'VerifiableStudentID',
  'urn:eu.europa.ec.eudi:learning:credential:1',
  'eu.europa.ec.eudi.cor.1',
]
const mobileTypes = ['org.iso.18013.5.1.mDL', 'eu.europa.ec.av.1', 'org.iso.23220.photoID.1']

/** Types that both roots vouch for and nobody asks for: what a wallet shows that presents the wrong document. */
export const unrequestedType = {
  'dc+sd-jwt': 'urn:vidimus:sandbox:unasked:1',
  mso_mdoc: 'vidimus.sandbox.unasked.1',
} as const
const unrequestedTypes = Object.values(unrequestedType)

/** Makes an issuer with fresh keys: two roots, and below them a signer for each document and for the status lists. */
export function createIssuer({
  now,
  algorithm = 'ES256',
  status_uri,
  organization = 'Vidimus Sandbox',
}: IssuerOptions): Issuer {
  const validity = validityAround(now, 30, 7300)
  const root = createAuthority({
    ...validity,
    algorithm,
    name: authorityName(organization, 'PID Root'),
    path_length: 1,
    extensions: [contactExtension],
  })
  const issuing = createAuthority(
    {
      ...validity,
      algorithm,
      name: authorityName(organization, 'PID Issuing CA'),
      path_length: 0,
      extensions: [contactExtension],
    },
    root,
  )
  // ISO/IEC 18013-5 annex B: an IACA certifies its signers itself.
  const iaca = createAuthority({
    ...validity,
    algorithm,
    name: authorityName(organization, 'IACA'),
    path_length: 0,
    extensions: [contactExtension],
  })
  return createSigners(
    { persons: { root, issuing }, mobile: { root: iaca, issuing: iaca } },
    { now, status_uri },
  )
}

/** Signers are made anew whenever an issuer is opened: only the authorities are kept, and no signer lapses. */
export function createSigners(
  hierarchies: Issuer['hierarchies'],
  { now, status_uri }: { now: Date; status_uri?: string | undefined },
): Issuer {
  const { algorithm } = hierarchies.persons.root.key
  const createNamedSigner = (name: SignerName) =>
    createSigner(hierarchies[findRootName(name)], signerDraft(name, algorithm, now))
  return {
    hierarchies,
    signers: {
      pid: createNamedSigner('pid'),
      pid_de: createNamedSigner('pid_de'),
      pilot: createNamedSigner('pilot'),
      mdl: createNamedSigner('mdl'),
      av: createNamedSigner('av'),
      photo_id: createNamedSigner('photo_id'),
      persons_status: createNamedSigner('persons_status'),
      mobile_status: createNamedSigner('mobile_status'),
    },
    algorithm,
    // A name that no resolver knows (RFC 2606): whoever trusts the sandbox serves its lists.
    status_uri: status_uri ?? 'https://sandbox.invalid/status',
  }
}

export function exportAnchors({ hierarchies }: Issuer): SandboxAnchor[] {
  return [
    {
      certificate: hierarchies.persons.root.certificate,
      document_types: [...personTypes, ...unrequestedTypes],
    },
    {
      certificate: hierarchies.mobile.root.certificate,
      document_types: [...mobileTypes, ...unrequestedTypes],
    },
  ]
}

function authorityName(organization: string, title: string): Authority['name'] {
  return { country: 'UT', organization, common_name: `Sandbox ${title}` }
}
