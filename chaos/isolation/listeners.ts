import { randomUUID } from 'node:crypto'
import { sql } from '../../apps/service/src/platform/db/sql.ts'
import { dayOfSessionId } from '../../apps/service/src/platform/ids.ts'
import {
  deleteListener,
  extendListener,
  markForwardSent,
  upsertListener,
  readForwards,
  readPendingForwards,
  recordForward,
} from '../../apps/service/src/webhooks/listen/store.ts'
import { aside } from './aside.ts'
import { expected } from './expected.ts'
import type { Household } from './household.ts'
import type { World } from './world.ts'

const terms = { lease_seconds: 60, most: 2 }
const ended = { outcome: 'delivered', status: 200, duration_ms: 1, error: null } as const

/** Two tenants listen under one name: each hears of its own, and neither ends the other's line. */
export async function listenApart(world: World): Promise<string[]> {
  const { db } = world.service.ctx
  const listener_id = randomUUID()
  const of = ({ merchant }: Household) => ({ tenant_id: merchant.tenant_id, listener_id })
  const forwardsOf = ({ merchant, sessions: { told } }: Household) =>
    db.execute(sql`
      insert into webhook_forwards (session_day, session_id, tenant_id, listener_id)
      select ${dayOfSessionId(told.id) ?? ''}, ${told.id}, tenant_id, id from webhook_listeners
      where tenant_id = ${merchant.tenant_id} and until > service_now()`)
  const { victim, stranger } = world
  for (const more of [listener_id, randomUUID()])
    await upsertListener(db, { ...of(victim), listener_id: more }, terms)
  await db.execute(sql`
    insert into webhook_listeners (tenant_id, id, until)
    values (${victim.merchant.tenant_id}, ${randomUUID()}, service_now() - interval '1 second')`)
  await forwardsOf(victim)

  return aside(world, stranger.merchant, async () => {
    const extended = await extendListener(db, of(stranger), terms.lease_seconds)
    const made = await upsertListener(db, of(stranger), terms)
    await forwardsOf(stranger)
    const waiting = await readPendingForwards(db, of(stranger), 10)
    for (const forward of waiting) await markForwardSent(db, forward)
    const [theirs] = await readPendingForwards(db, of(victim), 10)
    if (theirs === undefined) return ['the victim hears nothing']
    await db.execute(sql`update webhook_forwards set sent_at = offered_at where id = ${theirs.id}`)
    const heard = await readForwards(db, { ...of(stranger), limit: 10 })
    const reported = await recordForward(db, stranger.merchant.tenant_id, { id: theirs.id, ...ended })
    await db.execute(sql`update webhook_forwards set sent_at = null where id = ${theirs.id}`)
    await deleteListener(db, of(stranger))
    const own = [stranger.sessions.told.id]
    const idsOf = (rows: { session_id: string }[]) => rows.map(({ session_id }) => session_id)
    return [
      ...expected("another's listener is extended", extended, false),
      ...expected('a listener', made, true),
      ...expected('what waits', idsOf(waiting), own),
      ...expected('what was heard', idsOf(heard), own),
      ...expected("a report on another's", reported, false),
    ]
  })
}
