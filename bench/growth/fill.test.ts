import { expect, test } from 'vitest'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { startService } from '../../apps/service/test/service.ts'
import { fillDays } from './fill.ts'

test('a database is filled once, day by day, and verifications of every day can be read, listed and erased', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const { tenant_id } = merchant
  const { db } = service.ctx
  const fill = {
    url: service.database_url,
    verifications: 1500,
    tenant_id,
    pause_ms: 0,
    days: { kept: 4, busy: 2 },
  }
  const count = async () => {
    const [row] = await db.query<{ verifications: number; days: number }>(
      sql`select count(*)::integer as verifications, count(distinct day)::integer as days from verification_sessions`,
    )
    return row
  }

  await fillDays(fill)
  await fillDays(fill)
  expect(await count()).toEqual({ verifications: 1500, days: 4 })

  await db.execute(sql`delete from growth_days where day = service_day() - 2`)
  await db.execute(sql`delete from verification_sessions where day = service_day() - 2`)
  await fillDays(fill)
  expect(await count()).toEqual({ verifications: 1500, days: 4 })

  const ids = await db.query<{ id: string }>(sql`
    select distinct on (day) id from verification_sessions where tenant_id = ${tenant_id} order by day limit 10`)
  expect(ids).toHaveLength(4)
  const listed = await merchant.get('/v1/verifications?limit=100')
  expect(listed.body.data).toHaveLength(14)
  for (const { id } of ids) {
    expect((await merchant.get(`/v1/verifications/${id}`)).body).toMatchObject({ id, status: 'completed' })
    expect((await merchant.delete(`/v1/verifications/${id}`)).status).toBe(200)
  }
  expect((await merchant.post('/v1/verifications', { template: 'age_over_18' })).status).toBe(201)
})
