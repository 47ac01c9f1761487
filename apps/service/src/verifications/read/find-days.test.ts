import { expect, test } from 'vitest'
import { startService } from '../../../test/service.ts'
import { sql } from '../../engine/db/sql.ts'
import { daysWithVerifications } from '../store.ts'

test('finding the newest day of a list reads one of the verifications of that day, however many there are', async () => {
  await using service = await startService()
  const { tenant_id } = await service.tenant()
  const { db } = service.ctx
  await db.execute(sql`
    insert into verification_sessions (day, id, tenant_id, environment, template, certificate, created_at, expires_at)
    select service_day(), md5(n::text), case when n % 50 = 0 then ${tenant_id}::uuid else md5((n % 50)::text)::uuid end, 'test',
      repeat('t', 300), '', service_now() - n * interval '1 millisecond', service_now()
    from generate_series(1, 40000) n`)
  await db.execute(sql`insert into usage_days values (${tenant_id}, service_day(), 800)`)
  await db.execute(sql`analyze verification_sessions`)

  const read = await db.transaction(async (tx) => {
    for await (const day of daysWithVerifications(tx, { tenant_id, environment: 'test' }, null)) {
      expect(day).toMatch(/^\d{4}-/)
      break
    }
    return tx.query<{ entries: number }>(sql`
      select sum(pg_stat_get_xact_tuples_returned(indexrelid))::integer as entries
      from pg_index join pg_inherits on indrelid = inhrelid where inhparent = 'verification_sessions'::regclass`)
  })

  expect(read[0]?.entries).toBeGreaterThan(0)
  expect(read[0]?.entries).toBeLessThan(5)
})
