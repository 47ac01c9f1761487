import { expect, test } from 'vitest'
import { startService } from '../../../test/service.ts'
import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'
import { readVerificationList } from '../store.ts'
import { daysToList } from './days-store.ts'

const environment = 'test'

/** Two days of 40,000 verifications, one in fifty of them the tenant's. */
async function fillTwoDays(db: Db, tenant_id: string): Promise<void> {
  await db.execute(sql`
    insert into verification_sessions (day, id, tenant_id, environment, template, certificate, created_at, expires_at)
    select day, md5(day::text || n), case when n % 50 = 0 then ${tenant_id}::uuid else md5((n % 50)::text)::uuid end, ${environment},
      repeat('t', 300), '', service_now() - n * interval '1 millisecond', service_now()
    from (values (service_day()), (service_day() - 1)) as days (day), generate_series(1, 40000) n`)
  await db.execute(
    sql`insert into usage_days select ${tenant_id}, service_day() - n, 800 from generate_series(0, 1) n`,
  )
  await db.execute(sql`analyze verification_sessions`)
}

test('finding the days of a list reads none of the newest day, and one of each other, however many there are', async () => {
  await using service = await startService()
  const { tenant_id } = await service.tenant()
  await fillTwoDays(service.ctx.db, tenant_id)

  const { days, entries } = await service.ctx.db.transaction(async (tx) => {
    const found: string[] = []
    for await (const day of daysToList(tx, { tenant_id, environment }, null)) found.push(day)
    const [read] = await tx.query<{ entries: number }>(sql`
      select sum(pg_stat_get_xact_tuples_returned(indexrelid))::integer as entries
      from pg_index join pg_inherits on indrelid = inhrelid where inhparent = 'verification_sessions'::regclass`)
    return { days: found.length, entries: read?.entries }
  })

  expect(days).toBe(2)
  expect(entries).toBeGreaterThan(0)
  expect(entries).toBeLessThan(5)
})

test('the page of a list is planned five times by a connection, and never again, on large days too', async () => {
  await using service = await startService()
  const { tenant_id } = await service.tenant()
  await fillTwoDays(service.ctx.db, tenant_id)
  const owner = { tenant_id, environment, device_id: null } as const

  const plans = await service.ctx.db.transaction(async (tx) => {
    const [today] = await tx.query<{ day: string }>(sql`select service_day() as day`)
    for (let count = 0; count < 20; count += 1)
      await readVerificationList(tx, today?.day ?? '', owner, {
        before: 'infinity',
        limit: 20,
        max_bytes: 256 * 1024,
      })
    return tx.query(sql`
      select custom_plans::integer, generic_plans::integer from pg_prepared_statements
      where statement like '%order by s.created_at desc%' and statement not like '%pg_prepared_statements%'`)
  })

  expect(plans).toEqual([{ custom_plans: 5, generic_plans: 15 }])
})
