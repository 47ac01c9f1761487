export type { VerificationContext } from './context.ts'
export { cancelAsHolder } from './cancel/cancel.ts'
export { cancelOpenVerifications } from './cancel/cancel-open.ts'
export { type CreatedVerification, createVerification } from './create/create.ts'
export { requireErasureTemplate } from './erasure-requests/require-template.ts'
export { hashReference, writeReference } from './erasure-requests/reference.ts'
export { requestErasure } from './erasure-requests/request-erasure.ts'
export { findFirstSuccess, listFiltered, searchVerifications } from './dashboard/list-filtered.ts'
export { resendFailedEvents } from './dashboard/show-webhook.ts'
export { countPastDays, countToday } from './figures/count-past-days.ts'
export { getVerificationFigures } from './figures/get-figures.ts'
export {
  type HolderPhaseRow,
  type HolderVerificationRecord,
  findHolderPhase,
  findHolderVerification,
  maxWaitingPhases,
} from './holder/find-holder-verification.ts'
export { indexVerifications } from './metadata/index-verifications.ts'
export { findVerificationOwner } from './read/find-owner.ts'
export { getOwnedVerification, getVerificationStatus } from './read/get-verification.ts'
export { type LockedResult, lockResult } from './read/lock-result.ts'
export { readForWebhooks } from './read/read-for-webhooks.ts'
export { spendReturnCode } from './read/redeem.ts'
export {
  dropOldDays,
  endOpenVerifications,
  expireVerifications,
  forgetDelivered,
} from './retention/expire.ts'
export { erasableVerifications, forgettableResults } from './retention/erase.ts'
export { countSealedTo } from './retention/store.ts'
export { hashResponseCode } from './wallet/accept-response.ts'
export { loadQuery } from './wallet/load-query.ts'
export { ageAppUri } from './wallet/age-app.ts'
export { allowsOrigin, ownOrigin } from './wallet/allow-origin.ts'
export { allowsScreen, findOpenVerification } from './wallet/find-open-verification.ts'
export { codeShown_seconds, movingCodeUri, readCode } from './wallet/moving-code.ts'
export { openVerifier } from './wallet/open-verifier.ts'
export { type AgeAppVia, screenUri, walletUri } from './wallet/uris.ts'
