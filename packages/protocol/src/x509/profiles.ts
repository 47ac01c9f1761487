import type { Certificate } from './read-certificate.ts'

/** The requirements for a certificate that signs one kind of document. Every role has one, and none accepts any purpose. */
export type SignerProfile = {
  /** What it signs, in words for a finding. */
  signs: string
  /** The extended key usages that allow it. A certificate that names another of the known ones instead is for another use, and fails. */
  purposes: readonly [string, ...string[]]
  /**
   * Whether a certificate must name one of them, and in a critical extension. If not, one without extended key usage is accepted too, and one
   * that names unknown purposes with a warning.
   */
  required: 'critical' | 'named' | 'no'
  /** Whether signer and authority must name the same country (ISO/IEC 18013-5 annex B). */
  same_country: boolean
  /** Whether a key that is only for non-repudiation may sign it too. */
  non_repudiation?: true
}

const mdlDocType = 'org.iso.18013.5.1.mDL'
const mdlSignerOid = '1.0.18013.5.1.2'
const pidSignerOid = '1.3.130.2.0.0.1.2'
const statusSignerOid = '1.3.6.1.5.5.7.3.30'
const vicalSignerOid = '1.0.18013.5.1.8'
/** id-tsl-kp-tslSigning (ETSI TS 119 612 §5.7.1). */
const trustListSignerOid = '0.4.0.2231.3.0'
/** id-kp-documentSigning (RFC 9336), which seals carry. */
const sealOid = '1.3.6.1.5.5.7.3.36'

/**
 * The purposes that are known to be of one use (RFC 5280 §4.2.1.12, ISO/IEC 18013-5 annex B). Not among them are those that seals carry
 * besides, such as email protection.
 */
export const knownPurposes: ReadonlySet<string> = new Set([
  '1.3.6.1.5.5.7.3.1', // TLS server
  '1.3.6.1.5.5.7.3.3', // code signing
  '1.3.6.1.5.5.7.3.8', // time stamping
  '1.3.6.1.5.5.7.3.9', // OCSP signing
  '1.0.18013.5.1.6', // mdoc reader
  mdlSignerOid,
  pidSignerOid,
  statusSignerOid,
  vicalSignerOid,
  trustListSignerOid,
])

/** Seal certificates carry it beside another purpose. Alone it identifies a TLS client certificate. */
export const tlsClientOid = '1.3.6.1.5.5.7.3.2'

export function isDrivingLicence(documentType: string): boolean {
  return documentType === mdlDocType
}

const licenceProfile: SignerProfile = {
  signs: 'driving licences',
  purposes: [mdlSignerOid],
  required: 'critical',
  same_country: true,
}
const documentSignerProfile: SignerProfile = {
  signs: 'documents',
  purposes: [mdlSignerOid, pidSignerOid],
  required: 'no',
  same_country: false,
}

/** The strictest profile of the document's types. */
export function documentProfile(documentTypes: readonly string[]): SignerProfile {
  return documentTypes.some(isDrivingLicence) ? licenceProfile : documentSignerProfile
}

/** True if a certificate is meant for signing status lists (Token Status List §10). */
export function isStatusSigner({ extensions }: Certificate): boolean {
  return extensions.purposes?.oids.includes(statusSignerOid) ?? false
}

/** A status list may be signed by the issuer of the documents or by a dedicated signer (Token Status List §10). */
export const statusListProfile: SignerProfile = {
  signs: 'status lists',
  purposes: [statusSignerOid, mdlSignerOid, pidSignerOid],
  required: 'no',
  same_country: false,
}

/** Under an anchor in the revocation role. A certificate for signing documents does not sign their status there. */
export const revocationProfile: SignerProfile = {
  signs: 'status lists',
  purposes: [statusSignerOid],
  required: 'no',
  same_country: false,
}

/**
 * An authority above the signer of a list may have certified anybody; only the purpose tells them apart. The key is for digital signatures or
 * for non-repudiation (ETSI TS 119 612 §5.7.1).
 */
export const trustListProfile: SignerProfile = {
  signs: 'trust lists',
  purposes: [trustListSignerOid],
  required: 'named',
  same_country: false,
  non_repudiation: true,
}

/** ISO/IEC 18013-5 §C.1.7.2. */
export const vicalProfile: SignerProfile = {
  signs: 'VICALs',
  purposes: [vicalSignerOid],
  required: 'named',
  same_country: false,
}

/** The seal of a registrar or provider of registration certificates. ETSI TS 119 475 specifies no purpose of its own. */
export const registrationProfile: SignerProfile = {
  signs: 'registration certificates',
  purposes: [sealOid],
  required: 'no',
  same_country: false,
}
