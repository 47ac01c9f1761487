import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { dayLiteral, sql, toStatement, type Sql } from '../../apps/service/src/engine/db/sql.ts'
import { newVerificationId } from '../../apps/service/src/engine/basics/ids.ts'
import { dayBefore, growthDays, spreadOverDays, type Days, type FilledDay } from './days.ts'

export type Fill = {
  url: string
  verifications: number
  /** The tenant that has one in a hundred of the verifications. */
  tenant_id: string
  /** A pause after each day, for what else the machine has to do. */
  pause_ms: number
  days?: Days
}

/** The tables besides `verification_sessions` are filled for this number of days: a request uses the day of its verification only. */
const completeDays = 2
const emptyTables = ['webhook_deliveries', 'audit_entries', 'audit_texts', 'audit_heads']
const tenants = 100
const resultDays = 30

/**
 * Fills a database with sessions of the past, one day at a time, over a connection without the service's time limits. A day
 * that is already there stays as it is, so that a run that was interrupted continues, and one that finished is not repeated. Returns
 * the last day, which was today when the first run began.
 */
export async function fillDays({
  url,
  verifications,
  tenant_id,
  pause_ms,
  days = growthDays,
}: Fill): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const execute = (statement: Sql) => client.query(toStatement(statement))
  try {
    await execute(sql`
      create table if not exists growth_days (
        day date primary key, verifications integer not null, filled_at timestamptz not null default now())`)
    const { rows } = await execute(
      sql`select to_char(day, 'YYYY-MM-DD') as day from growth_days order by day limit 1000`,
    )
    const filled = rows.map(({ day }) => String(day))
    const [first] = filled
    const today =
      first === undefined ? new Date().toISOString().slice(0, 10) : dayBefore(first, 1 - days.kept)
    // The partitions of all tables that keep as many days, also of those that stay empty: statements plan them too.
    for (const table of emptyTables)
      await execute(sql`select make_partitions(${table}, ${dayBefore(today, days.kept - 1)}, ${today})`)
    for (const due of spreadOverDays(verifications, today, days)) {
      if (filled.includes(due.day)) continue
      const isComplete = due.day > dayBefore(today, completeDays)
      await fillDay(client, { ...due, tenant_id, today, isComplete })
      process.stderr.write(`${due.day}: ${due.verifications} verifications\n`)
      await sleep(pause_ms)
    }
    return today
  } finally {
    await client.end()
  }
}

type DueDay = FilledDay & { tenant_id: string; today: string; isComplete: boolean }

/** Inserts verifications of one day and tells the planner, without anything else that belongs to them. */
export async function insertVerifications(url: string, due: DayVerifications): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(toStatement(verificationRows(due, sql`verification_sessions`)))
    await client.query(`vacuum (freeze, analyze) verification_sessions_${due.day.replaceAll('-', '')}`)
  } finally {
    await client.end()
  }
}

type DayVerifications = FilledDay & { tenant_id: string; ofOneTenant?: boolean }

function verificationRows(
  { day, verifications, tenant_id, ofOneTenant = false }: DayVerifications,
  table: Sql,
): Sql {
  const owners = ofOneTenant ? 1 : tenants
  const prefix = newVerificationId('0', day).slice(0, 7)
  // Spread over the day, and today over the part of it that has passed.
  const spread_seconds = Math.min(20 * 3600, Math.max(60, (Date.now() - Date.parse(day)) / 1000 - 600))
  return sql`
    insert into ${table} (
      day, id, tenant_id, environment, status, template, template_version, metadata, purpose, redirect_url, certificate,
      idempotency_hash, purge_day, created_at, expires_at, responded_at, fetches, first_fetched_at)
    select ${dayLiteral(day)},
      ${prefix} || translate(encode(uuid_send(gen_random_uuid()) || int4send(n), 'base64'), '+/=', '-_'),
      case when n % ${owners}::integer = 0 then ${tenant_id}::uuid else md5((n % ${owners}::integer)::text)::uuid end,
      'test', 'completed', 'age_over_18', sha256('template'), '{"order":"A-123456"}', 'Age check at the till',
      'https://merchant.example/return', sha256('certificate'), sha256(int4send(n)), ${dayLiteral(dayBefore(day, -resultDays))},
      given.created_at, given.created_at + interval '300 seconds', given.created_at + interval '20 seconds', 1,
      given.created_at + interval '10 seconds'
    from generate_series(1, ${verifications}::integer) n
    cross join lateral (
      select ${dayLiteral(day)}::timestamp at time zone 'UTC' + n * (${spread_seconds / verifications}::float8 * interval '1 second') as created_at) as given`
}

/** Creations count today in one table and move the count to the other when the day turns. */
function usageRow({ day, verifications, tenant_id }: DueDay, isToday: boolean): Sql {
  const used = Math.max(1, Math.floor(verifications / tenants))
  return isToday
    ? sql`
        insert into tenant_usage as t (tenant_id, day, used, last_created_at) values (${tenant_id}, ${day}, ${used}, service_now())
        on conflict (tenant_id) do update set day = excluded.day, used = excluded.used`
    : sql`insert into usage_days values (${tenant_id}, ${day}, ${used}) on conflict do nothing`
}

async function fillDay(client: Client, due: DueDay): Promise<void> {
  const { day, verifications, today, isComplete } = due
  const execute = (statement: Sql) => client.query(toStatement(statement))
  const suffix = day.replaceAll('-', '')
  const purgeDay = dayBefore(day, -resultDays)
  await execute(sql`begin`)
  const { rows } = await client.query('select to_regclass($1) as partition', [
    `verification_sessions_${suffix}`,
  ])
  if (rows[0]?.partition === null) {
    // Indexes that are built in the end take less than half of the time.
    await execute(sql`
      create table growth_day (like verification_sessions including defaults including constraints including storage)`)
    await execute(verificationRows(due, sql`growth_day`))
    await client.query(`alter table growth_day rename to verification_sessions_${suffix}`)
    await client.query(
      `alter table verification_sessions attach partition verification_sessions_${suffix}
       for values from ('${day}') to ('${dayBefore(day, -1)}')`,
    )
  } else await execute(verificationRows(due, sql`verification_sessions`))
  await execute(usageRow(due, day === today))
  if (isComplete) {
    await execute(sql`select make_partitions('verification_results', ${purgeDay}, ${purgeDay})`)
    await execute(sql`
      insert into verification_results (purge_day, verification_id, tenant_id, claims, credentials)
      select purge_day, id, tenant_id, '{"age_over_18":true}', '[]' from verification_sessions where day = ${dayLiteral(day)}`)
    await execute(sql`
      insert into idempotency_keys (day, key_hash, body_hash, response, created_at, expires_at)
      select day, sha256(convert_to(id, 'UTF8')), idempotency_hash, repeat('answer of a creation ', 40), created_at, expires_at
      from verification_sessions where day = ${dayLiteral(day)}`)
    await execute(sql`
      insert into webhook_deliveries (verification_day, verification_id, attempt, tenant_id, environment, attempted_at, outcome, status, duration_ms, event_type)
      select day, id, 1, tenant_id, environment, responded_at, 'delivered', 200, 12, 'verification.completed'
      from verification_sessions where day = ${dayLiteral(day)}`)
    await execute(sql`
      insert into audit_texts (day, tenant_id, seq, secret, actor_name, purpose, subject)
      select day, tenant_id, row_number() over (order by id), sha256(convert_to(id, 'UTF8')), 'A key', purpose, id
      from verification_sessions where day = ${dayLiteral(day)}`)
  }
  await execute(sql`insert into growth_days (day, verifications) values (${day}, ${verifications})`)
  await execute(sql`commit`)
  // So that a benchmark measures full tables and not the after-effects of filling them.
  const tables = isComplete
    ? ['verification_sessions', 'idempotency_keys', 'webhook_deliveries', 'audit_texts']
    : ['verification_sessions']
  const partitions = tables.map((table) => `${table}_${suffix}`)
  if (isComplete) partitions.push(`verification_results_${purgeDay.replaceAll('-', '')}`)
  // A name cannot be a parameter; these consist of constants and a day.
  for (const partition of partitions) await client.query(`vacuum (freeze, analyze) ${partition}`)
}
