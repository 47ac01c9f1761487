import type { FailureCode } from '@vidimus/protocol'

/** Why the answer is No: the holder, or a check of the document, refused. */
export type Refusal =
  | 'declined'
  | 'forged'
  | 'untrusted_issuer'
  | 'not_the_holder'
  | 'document_expired'
  | 'document_revoked'
  | 'not_in_document'
  | 'requirement_not_met'
  /** Staff compared the photo with the customer. */
  | 'not_this_person'

/** Why there is no answer. None of these says anything about the person. */
export type Fault =
  | 'wallet_fault'
  | 'wallet_data'
  | 'status_unavailable'
  | 'time_out'
  | 'offline'
  | 'busy'
  | 'quota_spent'
  | 'suspended'
  | 'template_withdrawn'
  | 'erased'
  | 'stopped'
  /** The till was closed or lost its pairing during the check. */
  | 'interrupted'
  | 'not_compared'
  | 'photo_unreadable'
  | 'service_fault'
  | 'unknown_failure'

export type Answer =
  | { word: 'yes' }
  | { word: 'no'; reason: Refusal }
  | { word: 'not_checked'; reason: Exclude<Fault, 'quota_spent'> }
  /** `again_at`: when checks are possible again, in milliseconds. */
  | { word: 'not_checked'; reason: 'quota_spent'; again_at: number }

export type Word = Answer['word']

const no = (reason: Refusal): Answer => ({ word: 'no', reason })
export const notChecked = (reason: Exclude<Fault, 'quota_spent'>): Answer => ({
  word: 'not_checked',
  reason,
})

/** Typed by the union of codes, so that a new code does not compile until someone has decided what staff see. */
const answers: Record<FailureCode, Answer> = {
  // The wallet sends the same error if it has no matching document. Either way the holder was asked and did not show one.
  holder_declined: no('declined'),
  // The wallet says that it could not respond. It does not say what is in the document.
  wallet_error: notChecked('wallet_fault'),
  // Unreadable data has more often an outdated wallet behind it than a forger, and nothing was learnt about the person.
  credential_malformed: notChecked('wallet_data'),
  signature_invalid: no('forged'),
  issuer_untrusted: no('untrusted_issuer'),
  // A copy or a recording. A wrong clock on the phone is possible too, but the proof of possession did fail.
  holder_binding_invalid: no('not_the_holder'),
  credential_expired: no('document_expired'),
  credential_revoked: no('document_revoked'),
  // The issuer's list could not be loaded: the document may be valid.
  status_unavailable: notChecked('status_unavailable'),
  query_not_satisfied: no('not_in_document'),
  requirement_not_met: no('requirement_not_met'),
}

/** The answer to a failed verification. A code from a newer service says nothing here, so it is not a No. */
export function answerFailure(code: string | undefined): Answer {
  // The key was just looked up.
  if (code !== undefined && Object.hasOwn(answers, code)) return answers[code as FailureCode]
  return notChecked('unknown_failure')
}
