/**
 * Everything that the check of a registration certificate can find, each with its weight. `fail`: the certificate is not accepted, or
 * wallets will not accept it any more. `warning`: it is used, but wallets may warn their holders, or something could not be checked.
 * This file imports nothing, so that pages can have a text for each entry without loading the schemas.
 */
export const registrationFindings = {
  /** Not a registration certificate: not a JWT of the type `rc-wrp+jwt`, or without a member that it must have. */
  format_invalid: 'fail',
  signature_valid: 'pass',
  signature_invalid: 'fail',
  /** Its issuer is among the trusted registration authorities. */
  issuer_trusted: 'pass',
  /** No registration authority is trusted, so there is nothing to compare its issuer with. */
  issuer_unknown: 'warning',
  /** Registration authorities are trusted, and its issuer is not among them. Wallets may know more lists than this service. */
  issuer_untrusted: 'warning',
  lifetime_valid: 'pass',
  lifetime_ends_soon: 'warning',
  /** More than 12 months (ETSI TS 119 475 GEN-5.2.4-08). */
  lifetime_too_long: 'warning',
  lifetime_without_end: 'warning',
  lifetime_not_begun: 'fail',
  lifetime_ended: 'fail',
  /** It names the holder of the access certificate that signs the tenant's requests, as relying party or as intermediary. */
  binding_matches: 'pass',
  /** The access certificate has no identifier to compare with. */
  binding_unknown: 'warning',
  binding_differs: 'fail',
  status_valid: 'pass',
  /** It refers to no status list, although wallets require one. */
  status_missing: 'warning',
  /** The status list could not be fetched. */
  status_unavailable: 'warning',
  /** The status list was fetched but cannot be relied on: not signed by the issuer's entity, expired or malformed. */
  status_invalid: 'warning',
  status_revoked: 'fail',
  dataset_matches: 'pass',
  /** The data set names another party or another intended use than the certificate. */
  dataset_differs: 'fail',
  /** Its first website for support is the page on which holders ask for an erasure. */
  support_matches: 'pass',
  /** Holders may ask on that page, but wallets lead them elsewhere. */
  support_differs: 'warning',
} as const satisfies Record<string, 'pass' | 'warning' | 'fail'>
export type RegistrationFindingCode = keyof typeof registrationFindings
