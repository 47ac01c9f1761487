import type { Environment } from '@vidimus/contract'
import type { AnchorRole } from '@vidimus/protocol'
import type { Database } from '../../platform/db/open.ts'
import type { Log } from '../../platform/log.ts'
import { Refusal } from '../../platform/refusal.ts'
import { readFingerprint } from './read-pem.ts'
import { deleteAnchor, bumpTrustVersion } from './store.ts'

export type RemoveAnchor = {
  environment: Environment
  /** SHA-256 of the certificate, hexadecimal, with or without colons. */
  fingerprint: string
  /** All roles if absent. */
  role?: AnchorRole | undefined
}

/** Removes a trust anchor that an operator added. An anchor from a list can only be withdrawn by the list. */
export async function removeAnchor(
  { db, log }: { db: Database; log: Log },
  { environment, fingerprint: given, role }: RemoveAnchor,
): Promise<void> {
  const { hexadecimal, fingerprint } = readFingerprint(given)
  await db.transaction(async (tx) => {
    const removed = await deleteAnchor(tx, { environment, fingerprint, role })
    if (!removed)
      throw new Refusal('not_found', `No anchor ${hexadecimal} was added by hand in ${environment}.`)
    await bumpTrustVersion(tx)
  })
  log.info({ environment, fingerprint: hexadecimal }, 'trust anchor removed')
}
