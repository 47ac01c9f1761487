import { expect, test } from 'vitest'
import { createTestDatabase } from '../../apps/service/test/database/test-database.ts'
import { startProcess } from '../../apps/service/test/processes/processes.ts'
import { testEnvironment } from '../../apps/service/test/service.ts'
import { makeNextRelease, migrationOfNextRelease } from './next-release.ts'
import { createMerchant, runRelease } from './run-release.ts'

const program = 'apps/service/src/main.ts'

test(
  'the next release migrates a database with its data: it answers about every verification as this one did, which still starts',
  { timeout: 180_000 },
  async () => {
    using next = makeNextRelease('alter table verification_sessions add column note text')
    await using database = await createTestDatabase()
    const environment = testEnvironment(database.url)
    const { tenant_id, key } = await createMerchant(program, environment)
    const request = async (address: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      return (await fetch(`${address}${path}`, { headers, ...init })).json()
    }
    await using processes = new AsyncDisposableStack()
    const start = async (run: string) => {
      const { address, child } = await startProcess(environment, { run })
      processes.defer(() => void child.kill('SIGKILL'))
      return address
    }
    const before = await start(program)
    const listed = []
    for (const template of ['age_over_18', 'identity_basic']) {
      const { id } = (await request(before, '/v1/verifications', { template })) as { id: string }
      listed.push(await request(before, `/v1/verifications/${id}`))
    }

    const applied = await runRelease(next.program, ['migrate'], environment)
    const after = await start(next.program)

    expect(applied).toBe(`applied ${migrationOfNextRelease}\napplied 1 definition\n`)
    const { data } = (await request(after, '/v1/verifications')) as { data: unknown[] }
    expect(data).toEqual(listed.toReversed())
    expect(await request(after, '/v1/usage')).toMatchObject({ verifications_created: 2 })
    expect(
      await runRelease(next.program, ['admin', 'audit', 'verify', '--tenant', tenant_id], environment),
    ).toContain('valid')
    expect(await request(await start(program), '/v1/verifications')).toEqual({ data })
    await expect(runRelease(program, ['migrate'], environment)).rejects.toThrow('is newer than this program')
  },
)
