import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProject, isInstalled, runSuiteOn, runtimeNames } from '@vidimus/sdk/testing'
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

// The runtimes are 350 MB, so `npm ci` does not install them. CI sets RUNTIMES=required, so that none is skipped there.
const isRequired = process.env['RUNTIMES'] === 'required'

for (const name of runtimeNames) {
  const isSkipped = !isInstalled(name) && !isRequired
  const reason = isSkipped ? ' (skipped: not installed, run `npm run runtimes`)' : ''

  test.skipIf(isSkipped)(
    `[HOOK-11] the packed SDK passes its suite against the service on ${name}${reason}`,
    async () => {
      const { key } = await service.tenant()

      const report = await runSuiteOn(name, folder, { baseUrl: service.address, apiKey: key, vectors })

      expect(report.failed).toEqual([])
      expect(report.passed).toHaveLength(7)
    },
  )
}
