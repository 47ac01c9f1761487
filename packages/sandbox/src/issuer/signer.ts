import type { Cbor } from '../cbor/encode.ts'
import { validityAround, certify, type Authority, type Validity } from '../certificates/authority.ts'
import {
  crlDistributionPoint,
  extendedKeyUsage,
  issuerUri,
  keyUsage,
  type Extension,
} from '../certificates/extensions.ts'
import type { Name } from '../certificates/sign-certificate.ts'
import type { DocumentName } from '../documents/credential.ts'
import type { CoseDraft } from '../keys/sign-cose.ts'
import { crlUri } from './crl-uri.ts'
import { coseAlgorithm, generateSigningKey, type Algorithm, type SigningKey } from '../keys/signing-key.ts'

/** The sandbox has two roots: one for person identification data, one for ISO mobile documents. */
export type RootName = 'persons' | 'mobile'

/** A root and the authority that issues signer certificates: a subordinate, or the root itself. */
export type Hierarchy = { readonly root: Authority; readonly issuing: Authority }

/** A key with its certificate chain, leaf first, without the root. */
export type Signer = { readonly key: SigningKey; readonly chain: readonly Uint8Array[] }

export type SignerName = DocumentName | `${RootName}_status`

export type SignerDraft = Validity & {
  name: Name
  algorithm: Algorithm
  serial?: Uint8Array
  extensions: readonly Extension[]
}

/** What the certificates of an issuer's signers depend on. */
type SignerIssuer = { algorithm: Algorithm; status_uri: string; publishes_crls: boolean }

type SignerProfile = { root: RootName; country: string; title: string; purpose?: Extension }

/** The extended key usage of an mDL signer (ISO/IEC 18013-5 annex B). Critical. */
const mobileDocumentPurpose = extendedKeyUsage('1.0.18013.5.1.2', true)

/** The extended key usage that deployed EU PID signers have. */
const personIdentificationPurpose = extendedKeyUsage('1.3.130.2.0.0.1.2', false)

/** The extended key usage of a signer of status lists (Token Status List §10). */
const statusListPurpose = extendedKeyUsage('1.3.6.1.5.5.7.3.30', false)

const signerProfiles: Readonly<Record<SignerName, SignerProfile>> = {
  pid: { root: 'persons', country: 'UT', title: 'PID Signer', purpose: personIdentificationPurpose },
  pid_de: {
    root: 'persons',
    country: 'DE',
    title: 'German PID Signer',
    purpose: personIdentificationPurpose,
  },
  pid_nl: {
    root: 'persons',
    country: 'NL',
    title: 'Dutch PID Signer',
    purpose: personIdentificationPurpose,
  },
  pilot: {
    root: 'persons',
    country: 'UT',
    title: 'Attestation Signer',
    purpose: personIdentificationPurpose,
  },
  persons_status: { root: 'persons', country: 'UT', title: 'PID Status Signer', purpose: statusListPurpose },
  mdl: { root: 'mobile', country: 'UT', title: 'Driving Licence Signer', purpose: mobileDocumentPurpose },
  av: { root: 'mobile', country: 'UT', title: 'Proof of Age Signer', purpose: mobileDocumentPurpose },
  photo_id: { root: 'mobile', country: 'UT', title: 'Photo ID Signer', purpose: mobileDocumentPurpose },
  mobile_status: {
    root: 'mobile',
    country: 'UT',
    title: 'Mobile Document Status Signer',
    purpose: statusListPurpose,
  },
}

/** The contact address in the sandbox's certificates, on a reserved name (RFC 2606). */
export const contactExtension: Extension = issuerUri('https://sandbox.invalid')

export function findRootName(name: SignerName): RootName {
  return signerProfiles[name].root
}

/** The contents of a valid signer certificate. */
export function signerDraft(name: SignerName, issuer: SignerIssuer, now: Date): SignerDraft {
  const { root, country, title, purpose } = signerProfiles[name]
  return {
    ...validityAround(now, 30, 335),
    name: { country, organization: 'Vidimus Sandbox', common_name: `Sandbox ${title}` },
    algorithm: issuer.algorithm,
    extensions: [
      keyUsage('digital_signature'),
      contactExtension,
      ...(purpose === undefined ? [] : [purpose]),
      ...(issuer.publishes_crls ? [crlDistributionPoint(crlUri(issuer, `${root}_issuing`))] : []),
    ],
  }
}

/** Generates a signer's key and certifies it. */
export function createSigner({ root, issuing }: Hierarchy, draft: SignerDraft): Signer {
  const key = generateSigningKey(draft.algorithm)
  const leaf = certify(issuing, { ...draft, key })
  return { key, chain: issuing === root ? [leaf] : [leaf, issuing.certificate] }
}

/** The COSE headers of a signer: `x5chain` (RFC 9360 §2) is one byte string, or an array of several. */
export function coseHeaders({ key, chain }: Signer): Omit<CoseDraft, 'payload'> {
  const [leaf] = chain
  return {
    protected_header: new Map([[1, coseAlgorithm(key.algorithm)]]),
    unprotected_header: new Map<Cbor, Cbor>([[33, chain.length === 1 && leaf !== undefined ? leaf : chain]]),
  }
}

/** The JOSE header `x5c`: standard base64, not base64url (RFC 7515 §4.1.6). */
export function x5c({ chain }: Signer): string[] {
  return chain.map((certificate) => Buffer.from(certificate).toString('base64'))
}
