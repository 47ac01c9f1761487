import type { Certificate } from './read-certificate.ts'

/** What a certificate must be in order to sign one kind of thing. */
export type SignerProfile = {
  /** Extended key usages that name the purpose. None: any purpose will do. */
  purposes: readonly string[]
  /** Whether one of them has to be there, and critical. Otherwise none at all will do, too. */
  purpose_required: boolean
  /** Extended key usages of a certificate that is meant for something else. Any others are worth a warning. */
  excluded_purposes: readonly string[]
  /** Whether signer and authority have to name the same country (ISO/IEC 18013-5 annex B). */
  same_country: boolean
}

const mdlDocType = 'org.iso.18013.5.1.mDL'
const mdlSignerOid = '1.0.18013.5.1.2'
const pidSignerOid = '1.3.130.2.0.0.1.2'
const statusSignerOid = '1.3.6.1.5.5.7.3.30'

const documentSignerOids = [mdlSignerOid, pidSignerOid]

/** RFC 5280 §4.2.1.12 and ISO/IEC 18013-5 annex B. Not here is what seal certificates carry, such as email protection. */
const otherPurposes = {
  tls_server: '1.3.6.1.5.5.7.3.1',
  code_signing: '1.3.6.1.5.5.7.3.3',
  time_stamping: '1.3.6.1.5.5.7.3.8',
  ocsp_signing: '1.3.6.1.5.5.7.3.9',
  mdoc_reader: '1.0.18013.5.1.6',
} as const

/** Seal certificates carry it beside another purpose. Alone it is that of a client's certificate. */
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

/** The profile that suits all of the types that a document is taken for. */
export function documentProfile(documentTypes: readonly string[]): SignerProfile {
  return documentTypes.some(isDrivingLicence) ? licenceProfile : documentSignerProfile
}

/** Whether a certificate is meant for signing status lists (Token Status List §10). */
export function isStatusSigner({ extensions }: Certificate): boolean {
  return extensions.purposes?.oids.includes(statusSignerOid) ?? false
}

/** A list may be signed by the issuer of the documents or by a signer of its own (Token Status List §10). */
export const statusListProfile: SignerProfile = {
  purposes: [statusSignerOid, ...documentSignerOids],
  purpose_required: false,
  excluded_purposes: Object.values(otherPurposes),
  same_country: false,
}

/** Whoever operates a list was pinned for it; no purpose is laid down. */
export const trustListProfile: SignerProfile = {
  purposes: [],
  purpose_required: false,
  excluded_purposes: [],
  same_country: false,
}
