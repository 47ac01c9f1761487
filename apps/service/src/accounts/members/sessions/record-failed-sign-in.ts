import { appendAudit } from '../../../audit/index.ts'
import type { Context } from '../../../engine/context.ts'
import { takeAttempt } from '../../sign-in/store.ts'

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
