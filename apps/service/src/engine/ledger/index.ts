export { LedgerUnusableError, RestorePendingError, explainLedger, ledgerReason } from './errors.ts'
export {
  type EndedIds,
  type LedgerEntry,
  type LedgerGuard,
  type LedgerNote,
  type EndedRows,
  type StoredEntry,
  doubt_ms,
  hashLedgerId,
  isLedgerKind,
  noLedger,
} from './ledger.ts'
export { openLedger, warnWithoutLedger } from './open.ts'
