import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { here, logWith, withId } from '../../../test/request-log.ts'
import { startService } from '../../../test/service.ts'
import { signIn } from '../../../test/sign-in/browser.ts'
import { makePartitionsAhead, partitionDays } from '../../engine/db/schema/partitions.ts'
import { sql } from '../../engine/db/sql.ts'
import { dropOldDays } from '../../verifications/retention/expire.ts'
import { listRequests } from './list-requests.ts'

test('requests are shown for seven days, and their partition is dropped afterwards', async () => {
  await using service = await startService()
  const { db } = service.ctx
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  const old = randomUUID()
  await merchant.get('/v1/usage', withId(old))
  await logWith(owner, old)
  const [day = ''] = (await db.query<{ day: string }>(sql`select day from request_log limit 1`)).map(
    (row) => row.day,
  )
  // The session of the browser would end before.
  const shown = async () => {
    const where = { tenant_id: merchant.tenant_id, environment: 'test' } as const
    return (await listRequests(service.ctx, where, { limit: 50 })).data.map(({ request_id }) => request_id)
  }

  await setClockOffset(db, '167 hours')
  await makePartitionsAhead(db)
  await dropOldDays(service.ctx)
  expect(await shown()).toEqual([old])
  await setClockOffset(db, '169 hours')
  expect(await shown()).toEqual([])
  await setClockOffset(db, '9 days')
  await dropOldDays(service.ctx)
  expect(await partitionDays(db, 'request_log')).not.toContain(day)
})

test('10,000 requests are paged through without gaps or repetitions, and a rare one is found', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  await service.ctx.db.execute(sql`
    insert into request_log (day, at, tenant_id, environment, request_id, method, route, status, error_code, duration_us)
    select (at at time zone 'UTC')::date, at, ${merchant.tenant_id}, 'test', md5(n::text), 'GET', '/v1/verifications/{id}',
      case when n = 9999 then 500 else 200 end, case when n = 9999 then 'internal_error' end, n
    -- Ten at a time have the same time.
    from generate_series(1, 10000) as n cross join lateral (select service_now() - (n / 10) * interval '1 second' as at) t`)
  const seen = new Set<string>()
  let before: string | undefined
  let pages = 0
  do {
    const query = { limit: '100', ...(before !== undefined && { before }) }
    const { body } = await owner.call('listRequests', { params: here, query })
    for (const { request_id } of body.data) seen.add(request_id)
    before = body.next_before
    pages += 1
  } while (before !== undefined)
  expect([seen.size, pages]).toEqual([10_000, 101])
  const rare = await owner.call('listRequests', { params: here, query: { status: '5xx' } })
  expect(rare.body.data).toMatchObject([{ error_code: 'internal_error', duration_ms: 9.999 }])
})
