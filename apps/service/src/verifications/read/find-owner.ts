import { dayOfVerificationId } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { type VerificationOwnerRow, readVerificationOwner } from '../store.ts'

/** Whose a verification is, with its state and times, for the operator. Undefined if there is none. */
export async function findVerificationOwner(
  { db }: Pick<Context, 'db'>,
  id: string,
): Promise<VerificationOwnerRow | undefined> {
  const day = dayOfVerificationId(id)
  return day === undefined ? undefined : readVerificationOwner(db, { day, id })
}
