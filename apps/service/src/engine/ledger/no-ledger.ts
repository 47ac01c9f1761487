import type { Ledger } from './ledger.ts'

/** Used without ERASURE_LEDGER: nothing is recorded, and a restored database is served as it is. */
export const noLedger: Ledger = {
  isConfigured: false,
  record: async () => {},
  note: () => {},
  readPending: async () => ({ now: '', lost: [], in_doubt: [], more: false }),
  markApplied: async () => {},
  settle: async () => {},
  async *readNotes() {},
  close: async () => {},
}
