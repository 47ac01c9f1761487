import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database/test-database.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { runCommand } from '../../../test/processes/run-command.ts'
import { startService, testEnvironment, type Service } from '../../../test/service.ts'
import { sql } from '../../engine/db/sql.ts'
import { countPastDays } from '../../verifications/figures/count-past-days.ts'

const perDay = 50_000
const days = 20
const tenants = 100

/** Verifications of the last days, each tenant the same number a day; of three, one was completed, one failed, one expired. */
async function fill({ ctx: { db } }: Service, ids: string[]): Promise<void> {
  const run = (statement: Parameters<typeof db.execute>[0]) =>
    db.transaction((tx) => tx.execute(statement), { statement_ms: 120_000 })
  await run(sql`
    select make_partitions('verification_sessions', service_day() - ${days}::integer, service_day())`)
  for (let day = 1; day <= days; day += 1)
    await run(sql`
      insert into verification_sessions
        (day, id, tenant_id, environment, status, template, error, certificate, created_at, expires_at, responded_at)
      select d.day, 'vs_0' || ${day}::integer || '_' || n, (${ids}::uuid[])[1 + n % ${tenants}::integer],
        case when n % 1000 < 900 then 'live' else 'test' end, (array['pending', 'completed', 'failed'])[1 + n % 3], 'age_over_18',
        case when n % 3 = 2 then '{"code": "issuer_untrusted", "message": "x"}'::jsonb end, '\\x00', at, at + interval '5 minutes',
        case when n % 3 > 0 then at + interval '1 minute' end
      from generate_series(1, ${perDay}::integer) as n
      cross join (select service_day() - ${day}::integer as day) d
      cross join lateral (select d.day + interval '12 hours' + n * interval '1 millisecond' as at) made`)
  await run(sql`
    insert into usage_days (tenant_id, day, used)
    select tenant_id, day, count(*) from verification_sessions where day < service_day() group by 1, 2`)
  await run(sql`analyze verification_sessions`)
  await run(sql`update outcome_progress set through = service_day() - ${days + 1}::integer`)
}

test(
  'a million verifications of a month are exported within seconds, before and after they were counted',
  { timeout: 600_000 },
  async () => {
    await using database = await createTestDatabase()
    await using service = await startService({
      database: { url: database.url, [Symbol.asyncDispose]: async () => {} },
    })
    await setClockOffset(service.ctx.db, '0 days')
    const ids: string[] = []
    for (let n = 0; n < tenants; n += 1) ids.push((await service.tenant()).tenant_id)
    await fill(service, ids)
    const [period] = await service.ctx.db.query<{ from: string; to: string }>(
      sql`select service_day() - ${days}::integer as "from", service_day() - 1 as "to"`,
    )
    const exportUsage = async (...more: string[]) => {
      const began = performance.now()
      const { stdout, status } = await runCommand(
        ['admin', 'usage', '--from', period?.from ?? '', '--to', period?.to ?? '', '--json', ...more],
        testEnvironment(database.url),
      )
      const rows = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      const created = rows.reduce((sum, row) => sum + row.created, 0)
      return {
        status,
        rows: rows.length,
        created,
        final: rows.every((row) => row.final),
        ms: performance.now() - began,
      }
    }

    const uncounted = await exportUsage()
    await countPastDays(service.ctx)
    const counted = await exportUsage('--days')
    console.log(
      `usage of ${perDay * days}: uncounted ${Math.round(uncounted.ms)} ms, counted ${Math.round(counted.ms)} ms`,
    )

    expect(uncounted).toMatchObject({ status: 0, rows: tenants * 2, created: perDay * days, final: false })
    expect(counted).toMatchObject({
      status: 0,
      rows: tenants * 2 * days,
      created: perDay * days,
      final: true,
    })
    expect(uncounted.ms).toBeLessThan(60_000)
    expect(counted.ms).toBeLessThan(20_000)
  },
)
