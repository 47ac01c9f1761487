import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runtimes, type RuntimeName } from '@vidimus/runtimes'
import { createProject, runSuiteOn } from '@vidimus/sdk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService } from '../service.ts'

const folder = mkdtempSync(join(tmpdir(), 'vidimus-runtimes-'))
const service = await startService()
const vectors = JSON.parse(
  readFileSync(new URL('../../../../packages/sdk/vectors/webhooks.json', import.meta.url), 'utf8'),
)
beforeAll(() => createProject(folder))
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

test.each(Object.keys(runtimes) as RuntimeName[])(
  '[HOOK-11] the packed SDK passes its suite against the service on %s',
  async (name) => {
    const { key } = await service.tenant()

    const report = await runSuiteOn(name, folder, { baseUrl: service.address, apiKey: key, vectors })

    expect(report.failed).toEqual([])
    expect(report.passed).toHaveLength(7)
  },
)
