import type { Context } from '../../engine/context.ts'
import { forgetDelivered } from '../../verifications/index.ts'
import { deleteReplacedKeys } from './issuer/store.ts'
import { deleteEnded } from './store.ts'

const maxBatch = 100
/** Longer than any token is valid. */
const replacedKeys_hours = 24

/**
 * Deletes authorizations that have ended and keys that were replaced. Results that were to be kept only until delivered go with their
 * authorization: the site has collected them, or can no longer do so.
 */
export async function sweepAuthorizations(ctx: Context): Promise<void> {
  await deleteReplacedKeys(ctx.db, { after_hours: replacedKeys_hours })
  let ended: number
  do {
    ended = await ctx.db.transaction(async (tx) => {
      const deleted = await deleteEnded(tx, maxBatch)
      const verifications = deleted.filter((each) => each.id !== null)
      if (verifications.length > 0) await forgetDelivered(ctx, tx, verifications)
      return deleted.length
    })
  } while (ended === maxBatch)
}
