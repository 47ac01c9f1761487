export type Explanation = {
  /** What it means to a merchant. */
  meaning: string
  /** What to do about it. */
  remedy: string
}

/** Why a verification failed (WRES-7), most severe first: if several apply, the first is reported. */
export const failures = {
  holder_declined: {
    meaning: 'The holder declined in the wallet, or the wallet has no credential that matches the query.',
    remedy:
      'Explain what you request and why, and offer an alternative. Do not send another request unprompted.',
  },
  wallet_error: {
    meaning: 'The wallet returned an error. The message contains its error code.',
    remedy: 'Start a new verification. If the problem persists, the wallet may not support the query.',
  },
  credential_malformed: {
    meaning: 'The data that the wallet sent cannot be parsed as the credential it claims to be.',
    remedy:
      'Do not accept it. Ask the holder to update the wallet; if the problem persists, report it to the wallet provider.',
  },
  signature_invalid: {
    meaning: 'The credential differs from what its issuer signed, or is not signed at all.',
    remedy: 'Do not accept it: it was altered or forged.',
  },
  issuer_untrusted: {
    meaning: 'The credential is signed, but not by an issuer that you trust for it in this environment.',
    remedy: 'Do not accept it. If the issuer is genuine, add its authority under Settings, Trust.',
  },
  holder_binding_invalid: {
    meaning:
      'The credential was not presented by its holder in this verification: it may be a copy or a recording.',
    remedy: 'Do not accept it. Start a new verification and have the holder respond to that one.',
  },
  credential_expired: {
    meaning: 'The credential has expired, or is not valid yet.',
    remedy: 'Ask the holder to renew it, or to present another.',
  },
  credential_revoked: {
    meaning: 'The issuer has revoked or suspended the credential.',
    remedy: 'Do not accept it. The holder can ask the issuer for the reason.',
  },
  status_unavailable: {
    meaning:
      "It could not be determined whether the credential or its issuer's certificate was revoked, and an unknown status never passes.",
    remedy: 'Try again later. A setting lets such credentials pass with a warning, if you accept the risk.',
  },
  query_not_satisfied: {
    meaning: 'The presented credentials are genuine, but do not satisfy the query.',
    remedy:
      'The message names the credential and the claim. Request fewer claims, or offer alternatives in your template.',
  },
  requirement_not_met: {
    meaning:
      'The presented credentials are genuine, but the holder does not meet a requirement of the template.',
    remedy:
      'Treat this as a negative answer: for example, the holder is too young or the portrait is missing.',
  },
} as const satisfies Record<string, Explanation>

export type FailureCode = keyof typeof failures
