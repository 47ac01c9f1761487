import type { HolderOutcome, HolderPhase } from '@vidimus/contract'
import type { FailureCode } from '@vidimus/protocol'
import type { HolderPhaseRow } from '../../verifications/index.ts'

/**
 * What the holder learns about a session. A response that is held back looks like none: the person who sent the holder here may
 * watch the same page, and the outcome can be the claim itself (ADR 22).
 */
export function toPhase({ status, withheld, opened, failure_code }: HolderPhaseRow): HolderPhase {
  switch (status) {
    case 'pending':
      return opened || withheld ? 'opened' : 'pending'
    case 'failed':
      return failure_code !== null && isFailureCode(failure_code) ? outcomes[failure_code] : 'not_accepted'
    case 'completed':
    case 'expired':
      return status
  }
}

export function isOpen(phase: HolderPhase): phase is Exclude<HolderPhase, HolderOutcome> {
  return phase === 'pending' || phase === 'opened'
}

function isFailureCode(code: string): code is FailureCode {
  return Object.hasOwn(outcomes, code)
}

/** Three outcomes for all failures: on an age template, the exact reason would be the claim (PAGE-4). */
const outcomes: Record<FailureCode, Extract<HolderOutcome, 'declined' | 'try_again' | 'not_accepted'>> = {
  holder_declined: 'declined',
  wallet_error: 'try_again',
  credential_malformed: 'try_again',
  holder_binding_invalid: 'try_again',
  status_unavailable: 'try_again',
  signature_invalid: 'not_accepted',
  issuer_untrusted: 'not_accepted',
  credential_expired: 'not_accepted',
  credential_revoked: 'not_accepted',
  query_not_satisfied: 'not_accepted',
  requirement_not_met: 'not_accepted',
}
