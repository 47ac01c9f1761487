import type { AlertKind, Environment } from '@vidimus/contract'
import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

/**
 * Further alerts of a tenant are not raised until some of these are resolved. Those about access are counted apart, so that neither
 * prevents the others.
 */
export const maxOpenAlerts = 200
/** How long resolved alerts are kept, and how many of one tenant at most. */
const resolvedRetention_days = 90
export const maxResolvedAlerts = 500

export type AlertKey = {
  tenant_id: string
  /** Null if the alert concerns the whole tenant. */
  environment: Environment | null
  kind: AlertKind
  subject: string
}

export type AlertRow = AlertKey & {
  id: string
  stage: number
  details: Record<string, string | number>
  raised_at: string
  resolved_at: string | null
}

const columns = sql`tenant_id, id, environment, kind, subject, stage, details, raised_at, resolved_at`

type NewAlert = Omit<AlertKey, 'tenant_id'> &
  Pick<AlertRow, 'stage' | 'details'> & { tenant_ids: readonly string[]; once: boolean }

/**
 * Inserts an alert for each tenant, or raises the stage of the open one. Writes the events to announce with it, and returns how
 * many: none if it is open with this stage already, was raised before and is raised only `once`, too many are open, or it is about
 * access and the tenant has no owner yet.
 */
export async function insertAlerts(tx: Db, alert: NewAlert): Promise<number> {
  const { tenant_ids, environment, kind, subject, stage, details, once } = alert
  const aboutAccess = kind === 'access_changed'
  const same = sql`a.tenant_id = t.id and a.kind = ${kind} and a.subject = ${subject} and a.environment is not distinct from ${environment}::text`
  return tx.execute(sql`
    with raised as (
      insert into alerts (tenant_id, environment, kind, subject, stage, details, raised_at)
      select t.id, ${environment}::text, ${kind}, ${subject}, ${stage}::integer, ${details}::jsonb, service_now()
      from tenants t
      where t.id = any (${tenant_ids}::uuid[])
        and not exists (
          select from alerts a
          where ${same} and a.stage >= ${stage}::integer and (a.resolved_at is null or ${once}::boolean))
        and (
          (select count(*) from alerts a
            where a.tenant_id = t.id and a.resolved_at is null and (a.kind = 'access_changed') = ${aboutAccess}::boolean
          ) < ${maxOpenAlerts}::integer
          or exists (select from alerts a where ${same} and a.resolved_at is null))
        -- Owners are told of access. While the operator sets the tenant up, there is none.
        and (not ${aboutAccess}::boolean or exists (select from members m where m.tenant_id = t.id and m.role = 'owner'))
      order by t.id
      on conflict (tenant_id, kind, subject, environment) where resolved_at is null
      do update set stage = excluded.stage, details = excluded.details
      where alerts.stage < excluded.stage
      returning tenant_id, id, stage, details
    )
    insert into alert_events (tenant_id, alert_id, type, stage, details, at, due_at)
    select tenant_id, id, 'raised', stage, details, service_now(), service_now() from raised`)
}

/** Resolves the open alert and writes the event to announce with it. False if none is open. */
export async function closeAlert(
  tx: Db,
  { tenant_id, environment, kind, subject }: AlertKey,
): Promise<boolean> {
  const events = await tx.execute(sql`
    with resolved as (
      update alerts set resolved_at = service_now()
      where tenant_id = ${tenant_id} and kind = ${kind} and subject = ${subject}
        and environment is not distinct from ${environment} and resolved_at is null
      returning tenant_id, id, stage, details
    )
    insert into alert_events (tenant_id, alert_id, type, stage, details, at, due_at)
    select tenant_id, id, 'resolved', stage, details, service_now(), service_now() from resolved`)
  return events === 1
}

/** Open alerts of one kind, of all tenants. */
export async function readOpenAlerts(
  db: Db,
  { kind, after, limit }: { kind: AlertKind; after: string; limit: number },
): Promise<AlertRow[]> {
  return db.query<AlertRow>(sql`
    select ${columns} from alerts
    where resolved_at is null and kind = ${kind} and id > ${after}
    order by id
    limit ${limit}`)
}

export type OpenAlertCount<Kind> = { tenant_id: string; kind: Kind; since: string; count: number }

/** Tenants with open alerts of these kinds, the newest first. */
export async function countOpenAlerts<Kind extends AlertKind>(
  db: Db,
  { kinds, limit }: { kinds: readonly Kind[]; limit: number },
): Promise<OpenAlertCount<Kind>[]> {
  return db.query<OpenAlertCount<Kind>>(sql`
    select tenant_id, kind, min(raised_at) as since, count(*) as count from alerts
    where resolved_at is null and kind = any (${kinds}::text[])
    group by tenant_id, kind order by since desc, tenant_id, kind limit ${limit}`)
}

/** Resolves open alerts of one kind that were raised this long ago. */
export async function closeOldAlerts(
  db: Db,
  { kind, days, limit }: { kind: AlertKind; days: number; limit: number },
): Promise<number> {
  return db.execute(sql`
    with resolved as (
      update alerts set resolved_at = service_now()
      where (tenant_id, id) in (
        select tenant_id, id from alerts
        where kind = ${kind} and resolved_at is null and raised_at <= service_now() - make_interval(days => ${days}::integer)
        limit ${limit})
      returning tenant_id, id, stage, details
    )
    insert into alert_events (tenant_id, alert_id, type, stage, details, at, due_at)
    select tenant_id, id, 'resolved', stage, details, service_now(), service_now() from resolved`)
}

/** A tenant's open alerts and its latest resolved ones, in one environment and of the tenant as a whole. */
export async function readAlerts(
  db: Db,
  { tenant_id, environment, resolved }: { tenant_id: string; environment: Environment; resolved: number },
): Promise<AlertRow[]> {
  return db.query<AlertRow>(sql`
    (select ${columns} from alerts
      where tenant_id = ${tenant_id} and (environment is null or environment = ${environment}) and resolved_at is null
      order by raised_at desc, id
      limit ${2 * maxOpenAlerts})
    union all
    (select ${columns} from alerts
      where tenant_id = ${tenant_id} and (environment is null or environment = ${environment}) and resolved_at is not null
      order by resolved_at desc, id
      limit ${resolved})`)
}

/** Deletes resolved alerts that are old or too many. Returns how many. */
export async function deleteResolved(db: Db, limit: number): Promise<number> {
  return db.execute(sql`
    delete from alerts where (tenant_id, id) in (
      select tenant_id, id from (
        select tenant_id, id, resolved_at, row_number() over (partition by tenant_id order by resolved_at desc) as place
        from alerts where resolved_at is not null
      ) ranked
      where resolved_at < service_now() - make_interval(days => ${resolvedRetention_days}::integer) or place > ${maxResolvedAlerts}
      limit ${limit})`)
}

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
