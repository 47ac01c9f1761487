import { expect, test } from 'vitest'
import { runProgram } from '../../../test/processes/run-program.ts'
import { startService, testEnvironment } from '../../../test/service.ts'

const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64')

test('the master key can be changed while the service runs: afterwards only the new one opens sealed values', async () => {
  await using service = await startService()
  const { tenant_id } = await service.tenant()
  const run = (args: string[], MASTER_KEY: string, more: Record<string, string> = {}) =>
    runProgram(args, testEnvironment(service.database_url, { MASTER_KEY, ...more }))
  const wrong = await run(['admin', 'keyring', 'rotate'], keyOf(9))
  const rotated = await run(['admin', 'keyring', 'rotate', '--json'], keyOf(8), {
    MASTER_KEY_PREVIOUS: keyOf(7),
  })
  const after = await run(['admin', 'secret', 'rotate', '--tenant', tenant_id, '--json'], keyOf(8))
  const former = await run(['admin', 'secret', 'rotate', '--tenant', tenant_id], keyOf(7))

  expect([wrong.status, rotated.status, after.status, former.status]).toEqual([1, 0, 0, 1])
  expect(wrong.stderr).toContain('MASTER_KEY does not match this database')
  expect(JSON.parse(rotated.stdout)).toEqual({ sealing_key: expect.any(Number) })
  // A process that was started before keeps working.
  expect((await (await service.tenant()).post('/v1/verifications', { template: 'age_over_18' })).status).toBe(
    201,
  )
})
