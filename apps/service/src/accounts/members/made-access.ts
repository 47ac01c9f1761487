import type { AccessItem } from '@vidimus/contract'
import type { Operator } from '../../audit/index.ts'
import type { Db } from '../../engine/db/index.ts'
import type { LedgerEntry } from '../../engine/ledger/index.ts'
import type { Member } from '../../engine/basics/index.ts'

/** Why something ended or was taken over, for its audit entry. */
export type AccessChange = { by: Member | Operator; cause: 'member.removed' | 'member.role_changed' }

export type MadeItem = Omit<AccessItem, 'kind'>

/** How one kind of what gives access is found by its maker, ended, and taken over, each within the transaction of the caller. */
export type MadeAccess = {
  /** What works and was made by a member, or by an API key of theirs. */
  list: (db: Db, maker: { tenant_id: string; member_id: string }) => Promise<MadeItem[]>
  /** Ends it for good, with an audit entry. Returns what the caller records in the ledger. */
  end: (tx: Db, item: MadeItem, change: AccessChange) => Promise<LedgerEntry[]>
  /** Makes another member answer for it; null: the operator. */
  setMaker: (tx: Db, item: MadeItem, maker: { tenant_id: string; member_id: string | null }) => Promise<void>
}

/** The environment of an object that always has one. */
export function environmentOf({ id, environment }: MadeItem): 'test' | 'live' {
  if (environment === undefined) throw new Error(`${id} has no environment`)
  return environment
}
