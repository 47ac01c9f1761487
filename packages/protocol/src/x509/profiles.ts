import type { Certificate } from './read-certificate.ts'

/** The requirements for a certificate that signs one kind of document. */
export type SignerProfile = {
  /** Extended key usages that name the purpose. Empty: any purpose is accepted. */
  purposes: readonly string[]
  /** Whether one of them must be present and critical. Otherwise a certificate without extended key usage is accepted too. */
  purpose_required: boolean
  /** Extended key usages of certificates for other uses: these fail. Any others give a warning. */
  excluded_purposes: readonly string[]
  /** Whether signer and authority must name the same country (ISO/IEC 18013-5 annex B). */
  same_country: boolean
}

const mdlDocType = 'org.iso.18013.5.1.mDL'
const mdlSignerOid = '1.0.18013.5.1.2'
const pidSignerOid = '1.3.130.2.0.0.1.2'
const statusSignerOid = '1.3.6.1.5.5.7.3.30'
const vicalSignerOid = '1.0.18013.5.1.8'

const documentSignerOids = [mdlSignerOid, pidSignerOid]

/** RFC 5280 §4.2.1.12 and ISO/IEC 18013-5 annex B. Without those of seal certificates, such as email protection. */
const otherPurposes = {
  tls_server: '1.3.6.1.5.5.7.3.1',
  code_signing: '1.3.6.1.5.5.7.3.3',
  time_stamping: '1.3.6.1.5.5.7.3.8',
  ocsp_signing: '1.3.6.1.5.5.7.3.9',
  mdoc_reader: '1.0.18013.5.1.6',
} as const

/** Seal certificates carry it beside another purpose. Alone it identifies a TLS client certificate. */
export const tlsClientOid = '1.3.6.1.5.5.7.3.2'

export function isDrivingLicence(documentType: string): boolean {
  return documentType === mdlDocType
}

const licenceProfile: SignerProfile = {
  purposes: [mdlSignerOid],
  purpose_required: true,
  excluded_purposes: [],
  same_country: true,
}
const documentSignerProfile: SignerProfile = {
  purposes: documentSignerOids,
  purpose_required: false,
  excluded_purposes: [...Object.values(otherPurposes), statusSignerOid],
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

/** True if a certificate is meant for signing VICALs (ISO/IEC 18013-5 §C.1.7.2). */
export function isVicalSigner({ extensions }: Certificate): boolean {
  return extensions.purposes?.oids.includes(vicalSignerOid) ?? false
}

/** A status list may be signed by the issuer of the documents or by a dedicated signer (Token Status List §10). */
export const statusListProfile: SignerProfile = {
  purposes: [statusSignerOid, ...documentSignerOids],
  purpose_required: false,
  excluded_purposes: Object.values(otherPurposes),
  same_country: false,
}

/** Under an anchor in the revocation role. A certificate for signing documents does not sign their status there. */
export const revocationProfile: SignerProfile = {
  purposes: [statusSignerOid],
  purpose_required: false,
  excluded_purposes: [...Object.values(otherPurposes), ...documentSignerOids],
  same_country: false,
}

/** The signer of a trust list is pinned; no purpose is specified. */
export const trustListProfile: SignerProfile = {
  purposes: [],
  purpose_required: false,
  excluded_purposes: [],
  same_country: false,
}

/** The seal of a registrar or provider of registration certificates; no purpose is specified for it. */
export const registrationProfile: SignerProfile = {
  purposes: [],
  purpose_required: false,
  excluded_purposes: [],
  same_country: false,
}
