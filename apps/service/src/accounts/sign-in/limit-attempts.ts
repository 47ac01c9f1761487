import { Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import type { AddressKey } from '../../engine/limits/index.ts'
import { returnAttempt, takeAttempt } from './store.ts'

/** Failed sign-ins from one address: a burst, then a rate. Nothing can be guessed here; this limits the work. */
export const maxFailedSignIns = { burst: 30, per_hour: 60 }
const retryAfter_seconds = 3600 / maxFailedSignIns.per_hour

type AttemptedSignIn = {
  address: AddressKey
  method: 'passkey' | 'oidc' | 'link' | 'confirmation'
}

/**
 * Runs a sign-in attempt unless the address has failed too often. A successful attempt does not count. Each failed one is logged, so this
 * also limits the log.
 */
export async function limitAttempts<Result>(
  { db, config, log }: Pick<Context, 'db' | 'config' | 'log'>,
  { address, method }: AttemptedSignIn,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const loggedAttempt = () =>
    attempt().catch((error: unknown) => {
      if (error instanceof Refusal) log.warn({ method, ip: address, code: error.code }, 'sign-in failed')
      throw error
    })
  if (config.RATE_LIMITS === 'off') return loggedAttempt()
  // Counted before and returned after success, so that concurrent attempts cannot exceed the limit.
  if (!(await takeAttempt(db, { address, ...maxFailedSignIns }))) {
    throw new Refusal(
      'rate_limit_exceeded',
      'Too many failed attempts from this address. Try again later.',
      retryAfter_seconds,
    )
  }
  const result = await loggedAttempt()
  await returnAttempt(db, address)
  return result
}
