import { appendAudit } from '../../../audit/index.ts'
import { Refusal } from '../../../engine/basics/index.ts'
import type { Context } from '../../../engine/context.ts'
import type { AddressKey } from '../../../engine/limits/index.ts'
import { returnAttempt, takeAttempt } from '../store.ts'

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

/** Entries about one member: a burst, then a rate. Anyone who has seen a passkey's id could otherwise fill the chain from many addresses. */
export const maxFailuresInAudit = { burst: 10, per_hour: 10 }

/** Records in the tenant's audit log that a sign-in as a known member failed. The log of the process has every failure. */
export async function recordFailedSignIn(
  { db }: Pick<Context, 'db'>,
  { tenant_id, member_id }: { tenant_id: string; member_id: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const isWithinLimit = await takeAttempt(tx, { address: `member:${member_id}`, ...maxFailuresInAudit })
    if (!isWithinLimit) return
    await appendAudit(tx, {
      action: 'member.sign_in_failed',
      by: { kind: 'service', tenant_id },
      subject: member_id,
      detail: { method: 'passkey' },
    })
  })
}
