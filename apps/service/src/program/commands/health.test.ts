import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database/test-database.ts'
import { freePort } from '../../../test/processes/redis-server.ts'
import { runProgram } from '../../../test/processes/run-program.ts'
import { startProgram } from '../../../test/processes/start-program.ts'
import { testEnvironment } from '../../../test/service.ts'
import { waitUntil } from '../../../test/wait-until.ts'

test(
  '`health` succeeds for a running serve and for a running work, each at its own port, and fails without them',
  { timeout: 180_000 },
  async () => {
    await using database = await createTestDatabase()
    const [closed, port, serveMetrics, workMetrics] = await Promise.all([1, 2, 3, 4].map(() => freePort()))
    const settings = { ...testEnvironment(database.url), HOST: '0.0.0.0' }
    const forServe = { ...settings, PORT: `${port}`, METRICS_PORT: `${serveMetrics}` }
    const forWork = { ...settings, PORT: `${closed}`, METRICS_PORT: `${workMetrics}` }
    const health = (environment: Record<string, string>) => runProgram(['health'], environment)
    const failure = (line: string) => ({ status: 1, stdout: '', stderr: `${line}\n` })

    await using work = startProgram({ args: ['work'], environment: forWork })
    await using serve = startProgram({ args: ['serve'], environment: forServe })
    // It waits for a process that is just starting.
    const waited = await runProgram(['health', '--wait', '90'], forServe)
    expect(waited).toEqual({ status: 0, stdout: '', stderr: '' })
    await waitUntil(() => work.output().includes('worker is running'), { within_ms: 90_000 })
    await waitUntil(() => serve.output().includes('is listening'), { within_ms: 90_000 })
    const up = { status: 0, stdout: '', stderr: '' }
    expect(await Promise.all([health(forServe), health(forWork)])).toEqual([up, up])

    const [nothing, withoutPort] = await Promise.all([
      health({ ...forWork, METRICS_PORT: 'off' }),
      // `serve` has metrics there but no health: it is not up without its own port.
      health({ ...forServe, PORT: `${closed}` }),
    ])
    expect(nothing).toEqual(failure(`Neither serve nor work responds at http://127.0.0.1:${closed}.`))
    expect(withoutPort).toEqual(failure('/healthz responds with 404.'))
    serve.child.kill('SIGSTOP')
    expect((await health(forServe)).stderr).toMatch(/^http:\S+\/healthz does not respond: [^\n]+\n$/)
  },
)
