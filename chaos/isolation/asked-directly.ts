import { findKey } from '../../apps/service/src/api-keys/store.ts'
import { followAudit } from '../../apps/service/src/audit/follow.ts'
import { flushAudit } from '../../apps/service/src/audit/flush.ts'
import { dayOfSessionId } from '../../apps/service/src/platform/ids.ts'
import { findDetail } from '../../apps/service/src/verifications/dashboard/store.ts'
import { findQueuedEvent } from '../../apps/service/src/webhooks/log/health-store.ts'
import { readLatestAttempts } from '../../apps/service/src/webhooks/log/read-latest-attempts.ts'
import { expected } from './expected.ts'
import { deviceOf, noteDelivery } from './household.ts'
import type { World } from './world.ts'

/** What a use case asks only after another question was answered is asked here at once, with the ids of another. */
export async function askStores({ service, stranger, victim }: World): Promise<string[]> {
  const { db } = service.ctx
  const where = { tenant_id: stranger.merchant.tenant_id, environment: 'test' } as const
  const { id } = victim.sessions.told
  return [
    ...expected("another's event", await findQueuedEvent(db, { ...where, session_id: id }), undefined),
    ...expected(
      "another's session",
      await findDetail(db, { ...where, id, day: dayOfSessionId(id) ?? '' }),
      undefined,
    ),
    ...expected("another's key", await findKey(db, { ...where, id: victim.spare_key_id }), undefined),
  ]
}

/** Whoever follows one tenant hears of that one, before entries are chained and after. */
export async function followApart({ service, stranger, victim }: World): Promise<string[]> {
  const { ctx } = service
  const { tenant_id } = stranger.merchant
  await flushAudit(ctx)
  const follower = followAudit(ctx)
  const next = async () => Array.from(await follower.next([tenant_id]), ([of, actions]) => [of, [...actions]])
  await next()
  const attempts = async () => [...(await readLatestAttempts(ctx, [tenant_id]))]
  const newest = await attempts()
  const { id } = victim.sessions.pending
  await noteDelivery(ctx, { tenant_id: victim.merchant.tenant_id, id, outcome: 'failed' })
  const own = [[tenant_id, ['device.registered']]]
  const faults = [...expected('the newest attempt', await attempts(), newest)]
  for (const look of ['at once', 'when chained']) {
    for (const { merchant } of [victim, stranger]) await merchant.post('/v1/devices', deviceOf(look))
    if (look === 'when chained') await flushAudit(ctx)
    faults.push(...expected(`what is heard ${look}`, await next(), own))
  }
  return faults
}
