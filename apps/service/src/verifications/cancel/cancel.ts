import type { HolderCancellation, Verification } from '@vidimus/contract'
import { announceEvents } from '../../deliveries/index.ts'
import { type Principal, Refusal, dayOfVerificationId, notFound } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { getVerification } from '../read/get-verification.ts'
import { actorColumns, toVerificationOwner } from '../view-verification.ts'
import { type CancelVerification, type Cancellation, cancelStored } from './store.ts'

/** Ends a verification of the caller's that no wallet has responded to. It is over at once and reads `expired`; its quota stays used. */
export async function cancelVerification(
  ctx: Context,
  principal: Principal,
  id: string,
): Promise<Verification> {
  await cancel(ctx, id, {
    owner: toVerificationOwner(principal),
    by: principal.kind === 'device' ? 'device' : 'merchant',
    ...actorColumns(principal),
  })
  return getVerification(ctx, principal, id)
}

/**
 * Ends a verification for its holder. Whoever knows the id could as well end it by declining in a wallet, so the id is enough here too.
 */
export async function cancelAsHolder(ctx: Context, id: string): Promise<HolderCancellation> {
  const { redirect_url } = await cancel(ctx, id, { by: 'holder', actor: 'holder', actor_name: null })
  return redirect_url === null ? {} : { return_url: redirect_url }
}

async function cancel(
  { db }: Context,
  id: string,
  cancellation: Omit<CancelVerification, 'day' | 'id'>,
): Promise<Cancellation> {
  const day = dayOfVerificationId(id)
  const done = day === undefined ? undefined : await cancelStored(db, { day, id, ...cancellation })
  if (done === undefined) throw notFound('session_not_found')
  if (done.outcome === 'responded')
    throw new Refusal('session_already_responded', 'A wallet has already responded to this verification.')
  if (done.queued > 0) announceEvents(db)
  return done
}
