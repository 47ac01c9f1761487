import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runProgram } from '../../../test/processes/run-program.ts'
import { startService } from '../../../test/service.ts'

test(
  '[CONFIG-6] a configuration is exported and applied on the command line',
  { timeout: 300_000 },
  async () => {
    await using service = await startService()
    const merchant = await service.tenant()
    const file = join(mkdtempSync(join(tmpdir(), 'vidimus-config-')), 'config.json')
    const environment = { VIDIMUS_URL: service.address, VIDIMUS_KEY: merchant.key }
    const run = (...args: string[]) => runProgram(['config', ...args], environment)
    const apply = (...args: string[]) => run('apply', '--file', file, ...args)

    expect((await run('export', '--file', file)).status).toBe(0)
    const exported = JSON.parse(readFileSync(file, 'utf8'))
    expect(exported).toEqual((await merchant.get('/v1/config')).body)
    expect(await apply('--prune', '--dry-run')).toMatchObject({ status: 0 })

    const endpoint = { environment: 'test', url: 'https://8.8.8.8/hook', events: ['verification.completed'] }
    writeFileSync(
      file,
      JSON.stringify({
        ...exported,
        brand: { display_name: 'Wine\u001b[31m' },
        webhook_endpoints: [endpoint],
      }),
    )
    const planned = await apply('--dry-run')
    expect(planned.status).toBe(3)
    expect(planned.stdout).toContain('~ brand\n    display_name: absent → "Wine\\u001b[31m"\n')
    expect(planned.stdout).toContain('+ test webhook endpoint https://8.8.8.8/hook\n')
    // Nobody can be asked.
    const unattended = await apply()
    expect([unattended.status, unattended.stderr]).toEqual([1, 'Nothing was changed.\n'])
    expect((await merchant.get('/v1/config')).body).toEqual(exported)

    const applied = await apply('--yes')
    expect([applied.status, applied.stderr]).toEqual([0, 'Applied 2 changes.\n'])
    expect(applied.stdout).toMatch(/The secret of the test webhook endpoint .*: whsec_/)
    expect((await apply('--yes')).stdout).toMatch(/^0 to change, /)

    writeFileSync(file, JSON.stringify({ version: 1, webhook_endpoints: [] }))
    expect((await apply('--yes')).stdout).toBe('0 to change, 0 unchanged, 1 not named and kept.\n')
    expect((await apply('--yes', '--prune')).stdout).toMatch(/^- test webhook endpoint/)

    writeFileSync(file, '{"version": 1, "brnd": {}}')
    const refused = await apply('--yes')
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('Did you mean "brand"?')])
    writeFileSync(file, '{')
    expect((await apply()).stderr).toContain('is not valid JSON')
  },
)
