import { expect, test } from 'vitest'
import { createDatabaseOnSmallDisk } from '../../../../test/database/small-disk.ts'
import { startService, testEnvironment } from '../../../../test/service.ts'
import { waitUntil } from '../../../../test/wait-until.ts'
import { runChecks } from '../../../program/commands/doctor/run-checks.ts'

test('with a full disk /readyz and doctor say so, and both recover by themselves once there is space', async () => {
  await using disk = await createDatabaseOnSmallDisk()
  await using service = await startService({ database: disk.database })
  const merchant = await service.tenant()
  const create = async () =>
    (await merchant.post('/v1/verifications', { template: 'age_over_18', purpose: 'x'.repeat(200) })).status
  const readiness = () => service.anonymous.get('/readyz')
  const checkDisk = async () =>
    (await runChecks(testEnvironment(disk.database.url))).filter(({ check }) => check === 'database disk')
  expect([await create(), (await readiness()).status, await checkDisk()]).toEqual([201, 200, []])

  disk.fill()
  // The pages that exist take some more rows.
  await waitUntil(async () => (await create()) === 503, { within_ms: 30_000 })
  await waitUntil(async () => (await readiness()).status === 503, { within_ms: 5000 })
  expect((await readiness()).body.error.message).toBe('The disk of the database is full.')
  expect(await checkDisk()).toMatchObject([{ status: 'wrong', cure: expect.stringContaining('volume') }])

  disk.free()
  await waitUntil(async () => (await readiness()).status === 200, { within_ms: 5000 })
  expect([await create(), await checkDisk()]).toEqual([201, []])
})
