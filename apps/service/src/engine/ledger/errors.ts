import { Refusal } from '../basics/refusal.ts'
import { DatabaseUnreachableError } from '../db/failures.ts'

/**
 * The database lacks erasures or revocations that were acknowledged. A Refusal, because every caller has to wait: its message is for anyone,
 * its explanation for the operator.
 */
export class RestorePendingError extends Refusal {
  override name = 'RestorePendingError'
  readonly explanation: string

  constructor(entries: number, more: boolean) {
    super('overloaded', 'The service waits for the end of a restore. Try again later.', 5)
    this.explanation = `The database lacks ${more ? 'at least ' : ''}${entries} ${entries === 1 ? 'erasure or revocation' : 'erasures or revocations'} that the erasure ledger has: it was restored, or a standby without them took over. Nothing is served until the operator has run \`vidimus admin restore apply\`.`
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
