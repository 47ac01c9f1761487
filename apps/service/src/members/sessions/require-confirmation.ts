import type { Context } from '../../context.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { MemberSession } from '../me.ts'
import { isConfirmed } from './store.ts'
import { hashToken } from './token.ts'

/** For this long a member need not prove again that they are there. */
export const confirmationTtl_seconds = 600

/**
 * Refuses what would give somebody a lasting way in when the session is all there is to show for it: a session can be stolen,
 * or found on an unlocked machine.
 */
export async function requireConfirmation(
  { db }: Pick<Context, 'db'>,
  { session }: MemberSession,
): Promise<void> {
  if (!(await isConfirmed(db, hashToken(session), confirmationTtl_seconds)))
    throw new Refusal(
      'confirmation_required',
      'Confirm with your passkey, or by signing in at your provider again, that it is you.',
    )
}
