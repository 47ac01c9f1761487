import type { Context } from '../../context.ts'
import { Refusal } from '../../platform/refusal.ts'
import { returnAttempt, takeAttempt } from '../store.ts'

/** Failed sign-ins from one address: a burst, then a rate. Nothing can be guessed here; this limits the work. */
export const maxFailedSignIns = { burst: 30, per_hour: 60 }
const retryAfter_seconds = 3600 / maxFailedSignIns.per_hour

/** Runs a sign-in attempt unless the address has failed too often. A successful attempt does not count. */
export async function limitAttempts<Result>(
  { db, config }: Pick<Context, 'db' | 'config'>,
  address: string,
  attempt: () => Promise<Result>,
): Promise<Result> {
  if (config.RATE_LIMITS === 'off') return attempt()
  // Counted before and returned after success, so that concurrent attempts cannot exceed the limit.
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
