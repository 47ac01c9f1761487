import { appendAudit, type Operator } from '../audit/append.ts'
import type { Db } from '../platform/db/open.ts'
import type { LedgerEntry } from '../platform/ledger/ledger.ts'
import type { Member } from '../platform/principal.ts'
import { revokePendingOfMember } from './store.ts'

/**
 * Revokes the unpaired devices that a member registered, in the transaction that removes the member: they know the pairing
 * codes. Returns what the caller records in the ledger.
 */
export async function revokeUnpairedOfMember(
  tx: Db,
  { by, member: { tenant_id, member_id } }: { by: Member | Operator; member: Member },
): Promise<LedgerEntry[]> {
  const revoked = await revokePendingOfMember(tx, { tenant_id, member_id })
  for (const { id } of revoked)
    await appendAudit(tx, { action: 'device.revoked', by, subject: id, detail: { cause: 'member.removed' } })
  return revoked.map(({ id }) => ({ kind: 'device', id }))
}
