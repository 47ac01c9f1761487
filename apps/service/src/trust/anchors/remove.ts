import type { Environment } from '@vidimus/contract'
import type { Database } from '../../platform/db/open.ts'
import type { Log } from '../../platform/log.ts'
import { Refusal } from '../../platform/refusal.ts'
import { readFingerprint } from './read-pem.ts'
import { deleteAnchor, bumpTrustVersion } from './store.ts'

export type RemoveAnchor = {
  environment: Environment
  /** SHA-256 of the certificate, hexadecimal, with colons or without. */
  fingerprint: string
}

/** Ends the trust in a certificate that an operator added. What a list vouches for is for the list to withdraw. */
export async function removeAnchor(
  { db, log }: { db: Database; log: Log },
  { environment, fingerprint: given }: RemoveAnchor,
): Promise<void> {
  const { hexadecimal, fingerprint } = readFingerprint(given)
  await db.transaction(async (tx) => {
    const removed = await deleteAnchor(tx, { environment, fingerprint })
    if (!removed)
      throw new Refusal('not_found', `No anchor of ${environment} that was added by hand is ${hexadecimal}.`)
    await bumpTrustVersion(tx)
  })
  log.info({ environment, fingerprint: hexadecimal }, 'an anchor was removed')
}
