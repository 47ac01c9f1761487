import { expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { startService } from '../../../test/service.ts'
import { onOneDay } from '../../engine/db/days.ts'
import { sql, type Sql } from '../../engine/db/sql.ts'
import { dayOfVerificationId, newVerificationId } from '../../engine/basics/ids.ts'
import { readStatuses } from '../store.ts'
import { getVerificationStatus } from './get-verification.ts'

test('[STAT-1] polls that arrive together each get the status of their own verification', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const create = async (ttl_seconds: number): Promise<string> =>
    (await merchant.post('/v1/verifications', { template: 'age_over_18', ttl_seconds })).body.id
  const [short, long, erased] = [await create(60), await create(600), await create(600)]
  const poll = (id: string) =>
    getVerificationStatus(service.ctx, id).then(
      ({ status }) => status,
      (error: { code: string }) => error.code,
    )
  await merchant.delete(`/v1/verifications/${erased}`)
  await setClockOffset(service.ctx.db, '61 seconds')

  const unknown = ['2026-01-03', '2026-06-01', '2500-01-01'].map((day) => newVerificationId('0', day))
  const ids = [short, long, short, erased, ...unknown, long, 'vs_malformed']
  expect(await Promise.all(ids.map(poll))).toEqual([
    'expired',
    'pending',
    'expired',
    ...Array.from({ length: 4 }, () => 'session_not_found'),
    'pending',
    'session_not_found',
  ])
})

test('the statement for polls opens one partition by its key, and PostgreSQL inlines the rule for the status', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const { id } = (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body
  const day = dayOfVerificationId(id) ?? ''
  const statements: Sql[] = []
  const recording = {
    query: async (statement: Sql) => {
      statements.push(statement)
      return []
    },
    execute: async () => 0,
  }
  await readStatuses(recording, [{ day, id }], onOneDay(day))

  const plan = await service.ctx.db.query<{ 'QUERY PLAN': string }>(
    sql`explain (verbose, costs off) ${statements[0]}`,
  )
  const lines = plan.map((line) => line['QUERY PLAN']).join('\n')
  expect(lines.match(/Index Scan using \w+_pkey on public\.verification_sessions_\d+/g)).toHaveLength(1)
  expect(lines).not.toMatch(/shown_status|redeemable_until|service_now/)
})
