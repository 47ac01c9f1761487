import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'
import type { AlertRow } from './store.ts'

/** An event to announce, with its alert. `stage` and `details` are those of the event. */
export type AlertEvent = Omit<AlertRow, 'id'> & {
  event_id: number
  alert_id: string
  type: 'raised' | 'resolved'
  held: boolean
}

/** Tenants with events to announce, those that have waited longest first. */
export async function readTenantsWithEvents(db: Db, limit: number): Promise<string[]> {
  const rows = await db.query<{ tenant_id: string }>(sql`
    select tenant_id from (
      select tenant_id, due_at from alert_events where due_at <= service_now() order by due_at limit 1000
    ) due
    group by tenant_id
    order by min(due_at)
    limit ${limit}`)
  return rows.map(({ tenant_id }) => tenant_id)
}

/** A tenant's events to announce, oldest first. */
export async function readDueEvents(tx: Db, tenant_id: string, limit: number): Promise<AlertEvent[]> {
  return tx.query<AlertEvent>(sql`
    select e.id as event_id, e.alert_id, e.type, e.stage, e.details, e.held,
      a.tenant_id, a.environment, a.kind, a.subject, a.raised_at, a.resolved_at
    from alert_events e
    join alerts a on a.tenant_id = e.tenant_id and a.id = e.alert_id
    where e.tenant_id = ${tenant_id} and e.due_at <= service_now()
    order by e.id
    limit ${limit}`)
}

export async function deleteEvents(tx: Db, tenant_id: string, ids: readonly number[]): Promise<void> {
  await tx.execute(
    sql`delete from alert_events where tenant_id = ${tenant_id} and id = any (${ids}::bigint[])`,
  )
}

export async function holdEvents(
  tx: Db,
  { tenant_id, ids, until }: { tenant_id: string; ids: readonly number[]; until: string },
): Promise<void> {
  await tx.execute(sql`
    update alert_events set held = true, due_at = ${until}
    where tenant_id = ${tenant_id} and id = any (${ids}::bigint[])`)
}
