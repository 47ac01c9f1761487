export type { VerificationContext } from './context.ts'
export { type CreatedVerification, createVerification } from './create/create.ts'
export { findFirstSuccess } from './dashboard/find-first-success.ts'
export { resendFailedEvents } from './dashboard/resend-failed.ts'
export { searchVerifications } from './dashboard/search.ts'
export { countPastDays, countToday } from './figures/count-past-days.ts'
export { getSessionFigures } from './figures/get-figures.ts'
export {
  type HolderPhaseRow,
  type HolderSessionRecord,
  findHolderPhase,
  findHolderSession,
  maxWaitingPhases,
} from './holder/find-holder-session.ts'
export { getVerificationStatus } from './read/get-status.ts'
export { type LockedResult, lockResult } from './read/lock-result.ts'
export { readForWebhooks } from './read/read-for-webhooks.ts'
export { spendReturnCode } from './read/redeem.ts'
export { dropOldDays, expireSessions } from './retention/expire.ts'
export { forgetDelivered } from './retention/forget-delivered.ts'
export { erasableSessions, forgettableResults } from './retention/revocable.ts'
export { hashResponseCode } from './wallet/accept-response.ts'
export { ageAppUri } from './wallet/age-app.ts'
export { allowsOrigin, ownOrigin } from './wallet/allow-origin.ts'
export { findOpenSession } from './wallet/find-open-session.ts'
export { openVerifier } from './wallet/open-verifier.ts'
export { allowsScreen } from './wallet/require-screen.ts'
export { type AgeAppVia, screenUri, walletUri } from './wallet/uris.ts'
