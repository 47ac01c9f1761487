/** Why a verification failed (WRES-7): the codes of its `error`. They are stable; the protocol package says what each means. */
export const failureCodes = [
  'holder_declined',
  'wallet_error',
  'credential_malformed',
  'signature_invalid',
  'issuer_untrusted',
  'holder_binding_invalid',
  'credential_expired',
  'credential_revoked',
  'status_unavailable',
  'query_not_satisfied',
  'requirement_not_met',
] as const
