import type { Context } from '../../context.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { MemberSession } from '../me.ts'
import { isConfirmed } from './store.ts'
import { hashToken } from './token.ts'

/** How long a confirmation lasts. */
export const confirmationTtl_seconds = 600

/**
 * Requires a recent confirmation for actions that give lasting access. A session alone is not enough: it can be stolen or
 * found on an unlocked machine.
 */
export async function requireConfirmation(
  { db }: Pick<Context, 'db'>,
  { session }: MemberSession,
): Promise<void> {
  if (!(await isConfirmed(db, hashToken(session), confirmationTtl_seconds)))
    throw new Refusal(
      'confirmation_required',
      'Confirm that it is you: use your passkey, or sign in at your provider again.',
    )
}
