import { validityAround, createAuthority, type Authority } from '../certificates/authority.ts'
import { crlDistributionPoint } from '../certificates/extensions.ts'
import type { Algorithm } from '../keys/signing-key.ts'
import { crlUri } from './crl-uri.ts'
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
  /** The prefix of the status list URIs. */
  readonly status_uri: string
  /** Whether its certificates say where their revocation lists are. */
  readonly publishes_crls: boolean
}

export type IssuerOptions = {
  now: Date
  algorithm?: Algorithm
  status_uri?: string
  /** Default: true. */
  publishes_crls?: boolean
  /** The organisation in the certificates. A verifier may reject the sandbox's by name; another name simulates a real issuer. */
  organization?: string
}

/** A root certificate that a verifier must trust to accept the sandbox's documents, with the document types it covers. */
export type SandboxAnchor = { certificate: Uint8Array; document_types: readonly string[] }

const personTypes = [
  'urn:eudi:pid:1',
  'urn:eudi:pid:de:1',
  'urn:eudi:pid:nl:1',
  'eu.europa.ec.eudi.pid.1',
  'urn:eudi:ehic:1',
  'urn:eu.europa.ec.eudi:iban:1',
  'eu.europa.ec.eudi.iban.1',
  'VerifiableStudentID',
  'urn:eu.europa.ec.eudi:learning:credential:1',
  'eu.europa.ec.eudi.cor.1',
]
const mobileTypes = ['org.iso.18013.5.1.mDL', 'eu.europa.ec.av.1', 'org.iso.23220.photoID.1']

/** Types that both roots are trusted for but no query requests: for wallets that present the wrong document. */
export const unrequestedType = {
  'dc+sd-jwt': 'urn:vidimus:sandbox:unasked:1',
  mso_mdoc: 'vidimus.sandbox.unasked.1',
} as const
const unrequestedTypes = Object.values(unrequestedType)

/** Creates an issuer with new keys: two roots, and under them a signer for each document and each root's status lists. */
export function createIssuer({
  now,
  algorithm = 'ES256',
  status_uri = sandboxStatusUri,
  publishes_crls = true,
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
      extensions: [
        contactExtension,
        ...(publishes_crls ? [crlDistributionPoint(crlUri({ status_uri }, 'persons_root'))] : []),
      ],
    },
    root,
  )
  // ISO/IEC 18013-5 annex B: an IACA certifies its signers directly.
  const iaca = createAuthority({
    ...validity,
    algorithm,
    name: authorityName(organization, 'IACA'),
    path_length: 0,
    extensions: [contactExtension],
  })
  return createSigners(
    { persons: { root, issuing }, mobile: { root: iaca, issuing: iaca } },
    { now, status_uri, publishes_crls },
  )
}

/** A host name that never resolves (RFC 2606): a verifier that trusts the sandbox serves its lists locally. */
export const sandboxStatusUri = 'https://sandbox.invalid/status'

type SignerOptions = { now: Date; status_uri?: string; publishes_crls?: boolean }

/** Only the authorities are stored. Signers are created whenever an issuer is opened, so that no signer certificate expires. */
export function createSigners(
  hierarchies: Issuer['hierarchies'],
  { now, status_uri = sandboxStatusUri, publishes_crls = true }: SignerOptions,
): Issuer {
  const { algorithm } = hierarchies.persons.root.key
  const issuer = { algorithm, status_uri, publishes_crls }
  const createNamedSigner = (name: SignerName) =>
    createSigner(hierarchies[findRootName(name)], signerDraft(name, issuer, now))
  return {
    hierarchies,
    signers: {
      pid: createNamedSigner('pid'),
      pid_de: createNamedSigner('pid_de'),
      pid_nl: createNamedSigner('pid_nl'),
      pilot: createNamedSigner('pilot'),
      mdl: createNamedSigner('mdl'),
      av: createNamedSigner('av'),
      photo_id: createNamedSigner('photo_id'),
      persons_status: createNamedSigner('persons_status'),
      mobile_status: createNamedSigner('mobile_status'),
    },
    ...issuer,
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
