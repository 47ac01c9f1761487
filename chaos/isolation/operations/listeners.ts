import { randomUUID } from 'node:crypto'
import { sql } from '../../../apps/service/src/engine/db/sql.ts'
import { dayOfVerificationId } from '../../../apps/service/src/engine/basics/ids.ts'
import {
  deleteListener,
  extendListener,
  markForwardSent,
  upsertListener,
  readForwards,
  readPendingForwards,
  recordForward,
} from '../../../apps/service/src/deliveries/webhooks/listen/store.ts'
import { expectOthersUnchanged } from '../expect-unchanged.ts'
import { expectEqual } from '../expect-equal.ts'
import type { TenantFixture } from '../fixture/tenant-fixture.ts'
import type { IsolationFixture } from '../fixture/isolation-fixture.ts'

const terms = { lease_seconds: 60, max: 2 }
const delivered = { outcome: 'delivered', status: 200, duration_ms: 1, error: null } as const

/** Two tenants listen with the same listener id: each receives only its own events, and neither can end the other's stream. */
export async function checkListeners(fixture: IsolationFixture): Promise<string[]> {
  const { db } = fixture.service.ctx
  const listener_id = randomUUID()
  const of = ({ merchant }: TenantFixture) => ({ tenant_id: merchant.tenant_id, listener_id })
  const forwardsOf = ({ merchant, verifications: { delivered: verification } }: TenantFixture) =>
    db.execute(sql`
      insert into webhook_forwards (verification_day, verification_id, tenant_id, listener_id)
      select ${dayOfVerificationId(verification.id) ?? ''}, ${verification.id}, tenant_id, id from webhook_listeners
      where tenant_id = ${merchant.tenant_id} and until > service_now()`)
  const { victim, otherTenant } = fixture
  for (const more of [listener_id, randomUUID()])
    await upsertListener(db, { ...of(victim), listener_id: more }, terms)
  await db.execute(sql`
    insert into webhook_listeners (tenant_id, id, until)
    values (${victim.merchant.tenant_id}, ${randomUUID()}, service_now() - interval '1 second')`)
  await forwardsOf(victim)

  return expectOthersUnchanged(fixture, otherTenant.merchant, async () => {
    const extended = await extendListener(db, of(otherTenant), terms.lease_seconds)
    const created = await upsertListener(db, of(otherTenant), terms)
    await forwardsOf(otherTenant)
    const waiting = await readPendingForwards(db, of(otherTenant), 10)
    for (const forward of waiting) await markForwardSent(db, forward)
    const [theirs] = await readPendingForwards(db, of(victim), 10)
    if (theirs === undefined) return ['the victim received no forward']
    await db.execute(sql`update webhook_forwards set sent_at = offered_at where id = ${theirs.id}`)
    const forwards = await readForwards(db, { ...of(otherTenant), limit: 10 })
    const reported = await recordForward(db, otherTenant.merchant.tenant_id, { id: theirs.id, ...delivered })
    await db.execute(sql`update webhook_forwards set sent_at = null where id = ${theirs.id}`)
    await deleteListener(db, of(otherTenant))
    const own = [otherTenant.verifications.delivered.id]
    const idsOf = (rows: { verification_id: string }[]) => rows.map(({ verification_id }) => verification_id)
    return [
      ...expectEqual("another's listener is extended", extended, false),
      ...expectEqual('a listener', created, true),
      ...expectEqual('what waits', idsOf(waiting), own),
      ...expectEqual('forwards received', idsOf(forwards), own),
      ...expectEqual("a report on another's", reported, false),
    ]
  })
}
