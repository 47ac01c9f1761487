import type { Verification } from '@vidimus/contract'
import { appendAudit } from '../audit/append.ts'
import type { Context } from '../context.ts'
import { dayOfSessionId } from '../platform/ids.ts'
import type { Principal } from '../platform/principal.ts'
import { unknown } from '../platform/refusal.ts'
import { hashCode } from './accept-response.ts'
import { spendResponseCode } from './answer-store.ts'
import { ownerOf } from './owner.ts'
import { forgetResults, readSessions } from './store.ts'
import { viewVerification } from './view.ts'

export type Redeem = { id: string; response_code: string }

/** Redeems the code that the wallet's browser brought back. The right code works once; everything else is alike. */
export async function redeemResponseCode(
  ctx: Context,
  principal: Principal,
  { id, response_code }: Redeem,
): Promise<Verification> {
  const day = dayOfSessionId(id)
  if (day === undefined) throw unknown('invalid_response_code')
  return ctx.db.transaction(async (tx) => {
    const code = { ...ownerOf(principal), day, id, code_hash: hashCode(response_code) }
    if (!(await spendResponseCode(tx, code))) throw unknown('invalid_response_code')
    const [session] = await readSessions(tx, [{ day, id, ...ownerOf(principal) }], day)
    if (session === undefined) throw new Error('a session vanished while its code was redeemed')

    await appendAudit(tx, { action: 'verification.redeemed', by: principal, subject: id })
    // The merchant has it now; whoever asked for no more than that keeps nothing (RET-3).
    await forgetResults(tx, [{ day, id }])
    return viewVerification(ctx, session)
  })
}
