import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../apps/service/test/database/test-database.ts'
import { startProcess } from '../../apps/service/test/processes/processes.ts'
import { testEnvironment } from '../../apps/service/test/service.ts'
import { insertSessions } from '../../bench/growth/fill.ts'
import { executeSql, runRelease } from './run-release.ts'

const program = 'apps/service/src/main.ts'
const fixture = new URL('fixture/', import.meta.url)
type Expected = {
  at: string
  tenant_id: string
  key: string
  verifications: { id: string; status: string }[]
  listed: number
}

test(
  '[REL-6] a database of the previous release is migrated with its data: the new version answers about every verification as the old one did',
  { timeout: 180_000 },
  async () => {
    const { at, tenant_id, key, verifications, listed }: Expected = JSON.parse(
      readFileSync(new URL('expected.json', fixture), 'utf8'),
    )
    await using database = await createTestDatabase({ empty: true })
    const environment = testEnvironment(database.url)
    await executeSql(
      database.url,
      gunzipSync(readFileSync(new URL('previous-release.sql.gz', fixture)))
        .toString()
        // Commands of psql, which are no SQL.
        .replaceAll(/^\\.*$/gm, ''),
    )
    await insertSessions(database.url, {
      day: at.slice(0, 10),
      sessions: 1000,
      tenant_id: '00000000-0000-4000-8000-000000000000',
    })
    await stopClock(database.url, at)

    const applied = await runRelease(program, ['migrate'], environment)
    const { address, child } = await startProcess(environment, {})
    const read = async (path: string) => {
      const response = await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${key}` } })
      return response.json()
    }
    try {
      expect(applied).toContain('applied 0046_')
      expect(new Set(verifications.map(({ status }) => status))).toEqual(
        new Set(['completed', 'failed', 'pending']),
      )
      for (const verification of verifications)
        expect(await read(`/v1/verifications/${verification.id}`)).toEqual(verification)
      expect(((await read('/v1/verifications?limit=100')) as { data: unknown[] }).data).toHaveLength(listed)
      expect(await read('/v1/usage')).toMatchObject({ verifications_created: verifications.length })
      expect(await runRelease(program, ['audit', 'verify', '--tenant', tenant_id], environment)).toContain(
        'valid',
      )
    } finally {
      child.kill('SIGKILL')
    }
  },
)

/** The time of the dump, so that nothing of it has expired. */
function stopClock(url: string, at: string): Promise<void> {
  return executeSql(
    url,
    `create or replace function public.service_now() returns timestamptz language sql volatile parallel safe
     as $$ select timestamptz '${at}' $$`,
  )
}
