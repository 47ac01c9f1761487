export { compareWithMarks } from './compare.ts'
export {
  LedgerUnusableError,
  RestorePendingError,
  doubt_ms,
  explainLedger,
  ledgerReason,
  warnWithoutLedger,
} from './errors.ts'
export { type LedgerGuard, guardDatabase, untilComplete } from './guard.ts'
export { type LedgerEntry, type LedgerNote, type StoredEntry, hashLedgerId, isLedgerKind } from './ledger.ts'
export { noLedger, openLedger, openLedgerFiles } from './open.ts'
export { type Revocable, findEnded } from './revocable.ts'
