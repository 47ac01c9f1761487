import type { PhotoComparison } from '@vidimus/contract'
import { appendAudit } from '../../audit/index.ts'
import { type Principal, Refusal, dayOfVerificationId, notFound } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { toVerificationOwner } from '../view-verification.ts'
import { readComparison, recordComparison } from './store.ts'

/**
 * Records whether the photo of a completed verification shows the person who is present. The first decision stays, so a device may
 * repeat its request. The result of the verification does not change: it says what the document says.
 */
export async function comparePhoto(
  ctx: Context,
  principal: Principal,
  { id, same_person }: { id: string; same_person: boolean },
): Promise<PhotoComparison> {
  const day = dayOfVerificationId(id)
  if (day === undefined) throw notFound('session_not_found')
  const key = { day, id, ...toVerificationOwner(principal) }
  const decided = await ctx.db.transaction(async (tx) => {
    if (await recordComparison(tx, key, same_person)) {
      await appendAudit(tx, {
        action: 'verification.compared',
        by: principal,
        subject: id,
        detail: { same_person },
      })
      return same_person
    }
    const found = await readComparison(tx, key)
    if (found === undefined) throw notFound('session_not_found')
    return found.same_person
  })
  if (decided === null)
    throw new Refusal('invalid_request', 'There is nothing to compare: the verification is not completed.')
  return { id, same_person: decided }
}
