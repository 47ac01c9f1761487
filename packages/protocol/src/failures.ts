export type Explanation = {
  /** What it means, as a merchant would say it. */
  meaning: string
  /** What to do about it. */
  remedy: string
}

/** Why a verification failed (WRES-7), in the order in which one is chosen when several hold: the gravest first. */
export const failures = {
  holder_declined: {
    meaning: 'The holder declined in the wallet, or the wallet has no credential that answers the query.',
    remedy: 'Explain what you ask for and why, and offer another way. Do not ask again unprompted.',
  },
  wallet_error: {
    meaning: 'The wallet answered with an error of its own. The message repeats its name.',
    remedy: 'Start a new verification. If it goes on, the wallet may not support what the query asks for.',
  },
  credential_malformed: {
    meaning: 'What the wallet sent cannot be read as the credential it claims to be.',
    remedy: 'Do not accept it. Ask the holder to update the wallet; report it to its provider if it goes on.',
  },
  signature_invalid: {
    meaning: 'The credential is not as its issuer signed it, or nobody signed it.',
    remedy: 'Do not accept it: it was altered or forged.',
  },
  issuer_untrusted: {
    meaning: 'The credential is signed, but by nobody whom you trust for it in this environment.',
    remedy: 'Do not accept it. If the issuer is genuine, its authority can be added under Settings, Trust.',
  },
  holder_binding_invalid: {
    meaning: 'The credential was not shown by its holder in this session: it may be a copy, or a recording.',
    remedy: 'Do not accept it. Start a new verification and let the holder answer that one.',
  },
  credential_expired: {
    meaning: 'The credential has lapsed, or is not valid yet.',
    remedy: 'Ask the holder to renew it, or to present another.',
  },
  credential_revoked: {
    meaning: 'The issuer has revoked or suspended the credential.',
    remedy: 'Do not accept it. The holder can learn the reason from the issuer.',
  },
  status_unavailable: {
    meaning: 'Whether the credential was revoked could not be found out, and unknown is never good.',
    remedy: 'Try again later. A setting lets such credentials pass with a warning, if you can bear the risk.',
  },
  query_not_satisfied: {
    meaning: 'What was presented is genuine, and is not what the query asked for.',
    remedy:
      'The message names the credential and the claim. Ask for less, or offer alternatives in your template.',
  },
  requirement_not_met: {
    meaning: 'What was presented is genuine, and the holder does not meet what the template requires.',
    remedy: 'This is the answer no: the holder is too young, or the portrait is missing.',
  },
} as const satisfies Record<string, Explanation>

export type FailureCode = keyof typeof failures
