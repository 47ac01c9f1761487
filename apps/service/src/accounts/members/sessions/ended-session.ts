import type { LedgerEntry } from '../../../engine/ledger/index.ts'

/** What the ledger records of a session that ended before its time. */
export function toEndedSession(token_hash: Buffer): LedgerEntry {
  return { kind: 'member_session', id: token_hash.toString('hex') }
}
