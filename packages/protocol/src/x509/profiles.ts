import type { Certificate } from './read-certificate.ts'

/** What a certificate must be in order to sign one kind of thing. */
export type SignerProfile = {
  /** Extended key usages that name the purpose. None: any purpose will do. */
  purposes: readonly string[]
  /** Whether one of them has to be there, and critical. Otherwise none at all will do, too. */
  purpose_binding: boolean
  /** Extended key usages of a certificate that is meant for something else. Any others are worth a warning. */
  foreign_purposes: readonly string[]
  /** Whether signer and authority have to name the same country (ISO/IEC 18013-5 annex B). */
  same_country: boolean
}

const MDL = 'org.iso.18013.5.1.mDL'
const MDL_SIGNER = '1.0.18013.5.1.2'
const PID_SIGNER = '1.3.130.2.0.0.1.2'
const STATUS_SIGNER = '1.3.6.1.5.5.7.3.30'

const documentSigners = [MDL_SIGNER, PID_SIGNER]

/** RFC 5280 §4.2.1.12 and ISO/IEC 18013-5 annex B. Not here is what seal certificates carry, such as email protection. */
const foreignPurposes = {
  tls_server: '1.3.6.1.5.5.7.3.1',
  code_signing: '1.3.6.1.5.5.7.3.3',
  time_stamping: '1.3.6.1.5.5.7.3.8',
  ocsp_signing: '1.3.6.1.5.5.7.3.9',
  mdoc_reader: '1.0.18013.5.1.6',
} as const

/** Seal certificates carry it beside another purpose. Alone it is that of a client's certificate. */
export const TLS_CLIENT = '1.3.6.1.5.5.7.3.2'

export function isDrivingLicence(documentType: string): boolean {
  return documentType === MDL
}

const licenceProfile: SignerProfile = {
  purposes: [MDL_SIGNER],
  purpose_binding: true,
  foreign_purposes: [],
  same_country: true,
}
const documentSignerProfile: SignerProfile = {
  purposes: documentSigners,
  purpose_binding: false,
  foreign_purposes: [...Object.values(foreignPurposes), STATUS_SIGNER],
  same_country: false,
}

/** The profile that suits all of the types that a document is taken for. */
export function documentProfile(documentTypes: readonly string[]): SignerProfile {
  return documentTypes.some(isDrivingLicence) ? licenceProfile : documentSignerProfile
}

/** Whether a certificate is meant for signing status lists (Token Status List §10). */
export function isStatusSigner({ extensions }: Certificate): boolean {
  return extensions.purposes?.oids.includes(STATUS_SIGNER) ?? false
}

/** A list may be signed by the issuer of the documents or by a signer of its own (Token Status List §10). */
export const statusListProfile: SignerProfile = {
  purposes: [STATUS_SIGNER, ...documentSigners],
  purpose_binding: false,
  foreign_purposes: Object.values(foreignPurposes),
  same_country: false,
}

/** Whoever operates a list was pinned for it; no purpose is laid down. */
export const listSignerProfile: SignerProfile = {
  purposes: [],
  purpose_binding: false,
  foreign_purposes: [],
  same_country: false,
}
