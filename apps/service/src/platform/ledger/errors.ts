import { DatabaseUnreachableError } from '../db/failures.ts'
import { Refusal } from '../refusal.ts'

/** The database lacks erasures or revocations that were acknowledged. A Refusal, because every caller has to wait. */
export class RestorePendingError extends Refusal {
  override name = 'RestorePendingError'

  constructor(entries: number, more: boolean) {
    super(
      'overloaded',
      `The database lacks ${more ? 'at least ' : ''}${entries} ${entries === 1 ? 'erasure or revocation' : 'erasures or revocations'} that the erasure ledger has: it was restored, or a standby without them took over. Nothing is served until the operator has run \`vidimus restore apply\`.`,
      5,
    )
  }
}

/** The ledger cannot be compared with the database: it is unreadable, incomplete, damaged, or of another database. */
export class LedgerUnusableError extends Error {
  override name = 'LedgerUnusableError'
}

/** The reason if a statement was not sent because of the ledger. */
export function ledgerReason(error: unknown): RestorePendingError | LedgerUnusableError | undefined {
  const reason = error instanceof DatabaseUnreachableError ? error.cause : error
  return reason instanceof RestorePendingError || reason instanceof LedgerUnusableError ? reason : undefined
}
