import type { Environment } from '@vidimus/contract'
import type { AnchorRole } from '@vidimus/protocol'
import type { RecordOperation } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { toRemovedAnchor } from '../access/trust-access.ts'
import { readFingerprint } from './add-anchor.ts'
import { deleteAnchor, bumpTrustVersion } from './store.ts'

export type RemoveAnchor = {
  environment: Environment
  /** SHA-256 of the certificate, hexadecimal, with or without colons. */
  fingerprint: string
  /** All roles if absent. */
  role?: AnchorRole | undefined
  record?: RecordOperation
}

/** Removes a trust anchor that an operator added. An anchor from a list can only be withdrawn by the list. */
export async function removeAnchor(
  { db, ledger, log }: Pick<Context, 'db' | 'ledger' | 'log'>,
  { environment, fingerprint: given, role, record }: RemoveAnchor,
): Promise<void> {
  const { hexadecimal, fingerprint } = readFingerprint(given)
  await db.transaction(async (tx) => {
    const removed = await deleteAnchor(tx, { environment, fingerprint, role })
    if (removed.length === 0)
      throw new Refusal('not_found', `No anchor ${hexadecimal} was added by hand in ${environment}.`)
    await bumpTrustVersion(tx)
    await ledger.record(
      tx,
      removed.map((each) => toRemovedAnchor({ environment, fingerprint, role: each })),
    )
    await record?.(tx, { environment, removed: [hexadecimal], roles: removed })
  })
  log.info({ environment, fingerprint: hexadecimal }, 'trust anchor removed')
}
