import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../../test/database/test-database.ts'
import { connectAsAdmin } from '../../../../test/database/postgres.ts'
import { startService } from '../../../../test/service.ts'
import { waitUntil } from '../../../../test/wait-until.ts'

test('[FAULT-2] with a read-only database requests get 503 with Retry-After and /readyz fails; service resumes without a restart', async () => {
  const database = await createTestDatabase()
  await using service = await startService({ database })
  const merchant = await service.tenant()
  await using admin = await connectAsAdmin()
  const create = () => merchant.post('/v1/verifications', { template: 'age_over_18', ttl_seconds: 600 })
  expect(await create()).toMatchObject({ status: 201 })

  await admin.query(`alter database ${database.name} set default_transaction_read_only = on`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    database.name,
  ])
  const refused = await Promise.all(Array.from({ length: 10 }, create))
  for (const response of refused) {
    expect(response).toMatchObject({ status: 503, body: { error: { code: 'overloaded' } } })
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  await waitUntil(async () => (await service.anonymous.get('/readyz')).status === 503, { within_ms: 5000 })

  await admin.query(`alter database ${database.name} reset default_transaction_read_only`)
  await waitUntil(async () => (await create()).status === 201, { within_ms: 5000 })
  await waitUntil(async () => (await service.anonymous.get('/readyz')).status === 200, { within_ms: 5000 })
})

test('[FAULT-2] a process that gets no requests, only health checks, becomes ready again when its database is writable again', async () => {
  const database = await createTestDatabase()
  await using service = await startService({ database })
  await using admin = await connectAsAdmin()
  const readiness = async () => (await service.anonymous.get('/readyz')).status
  // Sessions keep the setting with which they began, as connections to a demoted server would.
  await admin.query(`alter database ${database.name} set default_transaction_read_only = on`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    database.name,
  ])
  await waitUntil(async () => (await readiness()) === 503, { within_ms: 10_000 })

  await admin.query(`alter database ${database.name} reset default_transaction_read_only`)
  await expect.poll(readiness).toBe(200)
})
