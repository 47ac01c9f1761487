import { expect, test } from 'vitest'
import { advanceAudit } from '../../audit/advance.ts'
import { verifyEverything } from '../../audit/verify/verify.ts'
import { stopClockAt } from '../../../test/database/clock.ts'
import { pairDevice } from '../../../test/pair-device.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { sql } from './sql.ts'
import { tokenBucket } from './token-bucket.ts'

const midnight = `(date_trunc('day', clock_timestamp() at time zone 'UTC') + interval '1 day') at time zone 'UTC'`
const verification = { template: 'age_over_18', ttl_seconds: 3600 }

function create(merchant: Merchant, key: string) {
  return merchant.post('/v1/verifications', verification, { headers: { 'idempotency-key': key } })
}

async function finishAudit({ ctx }: Service) {
  // Chains the entries, then signs them.
  for (let round = 0; round < 3; round += 1) await advanceAudit(ctx)
  return verifyEverything(ctx)
}

test('a new primary whose clock is an hour behind, over midnight, repeats nothing and loses nothing', async () => {
  await using service = await startService()
  const { db } = service.ctx
  await stopClockAt(db, `${midnight} + interval '30 minutes'`)
  const merchant = await service.tenant({ daily_quota: 3 })
  const paired = await pairDevice(service, merchant)
  const before = await create(merchant, 'before')
  await advanceAudit(service.ctx)

  await stopClockAt(db, `${midnight} - interval '30 minutes'`)
  const replays = await Promise.all([create(merchant, 'before'), create(merchant, 'before')])
  expect(replays.map(({ body }) => body.id ?? body.error.code)).toContain(before.body.id)
  const replayed = await create(merchant, 'before')
  expect(replayed).toMatchObject({ status: 201, text: before.text })
  expect(replayed.headers.get('idempotent-replayed')).toBe('true')
  const other = { ...verification, ttl_seconds: 600 }
  expect(
    await merchant.post('/v1/verifications', other, { headers: { 'idempotency-key': 'before' } }),
  ).toMatchObject({ status: 422, body: { error: { code: 'idempotency_key_reused' } } })

  const after = [await create(merchant, 'after-1'), await create(merchant, 'after-2')]
  const times = [before, ...after].map(({ body }) => String(body.created_at))
  expect(times).toEqual([...new Set(times)].toSorted())
  expect(await create(merchant, 'after-3')).toMatchObject({
    status: 429,
    body: { error: { code: 'quota_exceeded' } },
  })
  expect((await merchant.get('/v1/usage')).body).toMatchObject({ verifications_created: 3, remaining: 0 })

  const path = `/v1/verifications/${before.body.id}`
  expect(await merchant.get(path)).toMatchObject({ status: 200, body: { status: 'pending' } })
  const listed = (await merchant.get('/v1/verifications')).body.data.map(({ id }: { id: string }) => id)
  expect(listed).toEqual([...after.toReversed(), before].map(({ body }) => body.id))
  expect((await service.anonymous.get(`/wallet/request/${before.body.id}`)).status).toBe(200)
  expect((await paired.device.get('/v1/templates')).status).toBe(200)
  const { refresh_token } = paired.tokens
  expect((await service.anonymous.post('/v1/devices/token', { refresh_token })).status).toBe(200)
  expect((await merchant.delete(path)).status).toBe(200)
  expect((await merchant.get(path)).status).toBe(404)
  expect(await finishAudit(service)).toMatchObject({ valid: true, faults: [] })
})

test('a new primary whose clock is two hours ahead expires what is open; once corrected, times still increase and no key is used twice', async () => {
  await using service = await startService()
  const { db } = service.ctx
  await stopClockAt(db, `${midnight} - interval '30 minutes'`)
  const merchant = await service.tenant({ daily_quota: 3 })
  const before = await create(merchant, 'before')

  await stopClockAt(db, `${midnight} + interval '90 minutes'`)
  expect((await merchant.get(`/v1/verifications/${before.body.id}`)).body.status).toBe('expired')
  expect((await create(merchant, 'before')).body.id).toBe(before.body.id)
  const ahead = await create(merchant, 'ahead')
  await advanceAudit(service.ctx)

  await stopClockAt(db, `${midnight} - interval '29 minutes'`)
  expect((await create(merchant, 'ahead')).body.id).toBe(ahead.body.id)
  const corrected = await create(merchant, 'corrected')
  const times = [before, ahead, corrected].map(({ body }) => String(body.created_at))
  expect(times).toEqual([...new Set(times)].toSorted())
  // The new day has begun for this tenant and stays: two of its quota are used.
  expect((await merchant.get('/v1/usage')).body).toMatchObject({ verifications_created: 2, remaining: 1 })
  expect(await finishAudit(service)).toMatchObject({ valid: true, faults: [] })
})

test('a token bucket keeps its tokens when the clock goes back', async () => {
  await using service = await startService()
  const { db } = service.ctx
  const { takeToken } = tokenBucket(sql`pairing_guesses`)
  const take = () => takeToken(db, { address: '192.0.2.1', burst: 3, per_hour: 60 })
  expect(await take()).toBe(true)
  await stopClockAt(db, `clock_timestamp() - interval '1 hour'`)
  expect([await take(), await take(), await take()]).toEqual([true, true, false])
})
