import { Refusal } from '../basics/refusal.ts'
import type { Config } from '../config/config.ts'
import { DatabaseUnreachableError } from '../db/failures.ts'
import type { Log } from '../observability/log.ts'

/**
 * The database lacks erasures or revocations that were acknowledged. A Refusal, because every caller has to wait: its message is for anyone,
 * its explanation for the operator.
 */
export class RestorePendingError extends Refusal {
  override name = 'RestorePendingError'
  readonly explanation: string

  constructor(entries: number, more: boolean) {
    super('overloaded', 'The service waits for the end of a restore. Try again later.', 5)
    this.explanation = `The database lacks ${more ? 'at least ' : ''}${entries} ${entries === 1 ? 'erasure or revocation' : 'erasures or revocations'} that the erasure ledger has: it was restored, or a standby without them took over. Nothing is served until the operator has run \`vidimus restore apply\`.`
  }
}

/** The ledger cannot be compared with the database: it is unreadable, incomplete, damaged, or of another database. */
export class LedgerUnusableError extends Error {
  override name = 'LedgerUnusableError'
}

/** What the operator is told. */
export function explainLedger(reason: RestorePendingError | LedgerUnusableError): string {
  return reason instanceof RestorePendingError ? reason.explanation : reason.message
}

/** The reason if a statement was not sent because of the ledger. */
export function ledgerReason(error: unknown): RestorePendingError | LedgerUnusableError | undefined {
  const reason = error instanceof DatabaseUnreachableError ? error.cause : error
  return reason instanceof RestorePendingError || reason instanceof LedgerUnusableError ? reason : undefined
}

/** A file of this size is followed by a new one. */
export const maxFile_bytes = 8 * 1024 * 1024
/** How long entries are kept. A backup that is older must not be restored. */
export const retention_days = 400
/** How long notes are kept after the last one of their file. */
export const noteRetention_days = 7
/** How long an operation of the storage may take. */
export const storageTimeout_ms = 3000
/** The most lines in one write, and the most that wait for one. */
export const maxBatch = 1000
export const maxWaiting = 10_000
/** An entry without an outcome is in doubt after this time: no transaction takes as long. */
export const doubt_ms = 60_000
/** How many entries are read at a time. */
export const pendingBatch = 10_000

/** Without a ledger a restored database is served as it is. A developer need not hear of it. */
export function warnWithoutLedger({ config, log }: { config: Config; log: Log }): void {
  if (config.ERASURE_LEDGER === undefined && config.NODE_ENV === 'production')
    log.warn('ERASURE_LEDGER is not set: a restored database brings back what was erased and revoked since')
}
