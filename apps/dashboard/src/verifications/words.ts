const failures: Record<string, string> = {
  holder_declined: 'The holder declined, or has no such credential',
  wallet_error: 'The wallet could not answer',
  credential_malformed: 'The credential cannot be read',
  signature_invalid: 'The credential was altered or forged',
  issuer_untrusted: 'Nobody you trust vouches for the issuer',
  holder_binding_invalid: 'It was not shown by its holder in this session',
  credential_expired: 'The credential has lapsed, or is not valid yet',
  credential_revoked: 'The issuer has revoked the credential',
  status_unavailable: 'Whether it was revoked could not be found out',
  query_not_satisfied: 'It is genuine, but not what was asked for',
  requirement_not_met: 'The holder does not meet what the template requires',
}

/** Why a verification failed, for people. A code that is newer than this page is shown as it is. */
export function failureWords(code: string): string {
  return failures[code] ?? code
}
