/** What a certificate must be in order to sign one kind of thing. */
export type SignerProfile = {
  /** Extended key usages that name the purpose. */
  purposes: readonly string[]
  /** Whether one of them has to be there, and critical. Otherwise another purpose is only worth a warning. */
  purpose_binding: boolean
  /** Whether signer and authority have to name the same country (ISO/IEC 18013-5 annex B). */
  same_country: boolean
}

const MDL = 'org.iso.18013.5.1.mDL'
const MDL_SIGNER = '1.0.18013.5.1.2'
const PID_SIGNER = '1.3.130.2.0.0.1.2'
const STATUS_SIGNER = '1.3.6.1.5.5.7.3.30'

const documentSigners = [MDL_SIGNER, PID_SIGNER]

export function isDrivingLicence(documentType: string): boolean {
  return documentType === MDL
}

export function documentProfile(documentType: string): SignerProfile {
  if (isDrivingLicence(documentType)) {
    return { purposes: [MDL_SIGNER], purpose_binding: true, same_country: true }
  }
  return { purposes: documentSigners, purpose_binding: false, same_country: false }
}

/** A list may be signed by the issuer of the documents or by a signer of its own (Token Status List §10). */
export const statusListProfile: SignerProfile = {
  purposes: [STATUS_SIGNER, ...documentSigners],
  purpose_binding: false,
  same_country: false,
}

/** Whoever operates a list was pinned for it; no purpose is laid down. */
export const listSignerProfile: SignerProfile = { purposes: [], purpose_binding: false, same_country: false }
