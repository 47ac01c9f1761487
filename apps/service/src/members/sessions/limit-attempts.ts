import type { Context } from '../../context.ts'
import { Refusal } from '../../platform/refusal.ts'
import { returnAttempt, takeAttempt } from '../store.ts'

/** Failed sign-ins from one address: so many at once, and so many an hour after that. Nothing can be guessed here; this bounds the work. */
export const maxFailedSignIns = { burst: 30, an_hour: 60 }
const retryAfter_seconds = 3600 / maxFailedSignIns.an_hour

/** Lets an attempt to come in be made, while the address has room for one. One that succeeds takes none. */
export async function limitAttempts<Result>(
  { db, config }: Pick<Context, 'db' | 'config'>,
  address: string,
  attempt: () => Promise<Result>,
): Promise<Result> {
  if (config.RATE_LIMITS === 'off') return attempt()
  // Taken before and given back after: simultaneous attempts cannot slip past.
  if (!(await takeAttempt(db, { address, ...maxFailedSignIns }))) {
    throw new Refusal(
      'rate_limit_exceeded',
      'Too many failed attempts from this address. Try again later.',
      retryAfter_seconds,
    )
  }
  const result = await attempt()
  await returnAttempt(db, address)
  return result
}
