import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database/test-database.ts'
import { startCollector } from '../../../test/network/collector.ts'
import { startProgram } from '../../../test/processes/start-program.ts'
import { freePort } from '../../../test/processes/redis-server.ts'
import { startService, testEnvironment } from '../../../test/service.ts'
import { waitUntil } from '../../../test/wait-until.ts'

const stopTimeout_ms = 14_500
const requests = 40

test.for(['hangs', 'fails', 'is gone'] as const)(
  '[TRACE-5] requests succeed while the collector %s, and the spans that are lost are counted',
  async (fault) => {
    await using collector = await startCollector()
    if (fault === 'hangs') collector.respondWith(() => {})
    if (fault === 'fails') collector.respondWith((response) => void response.writeHead(500).end())
    {
      await using service = await startService({
        environment: {
          OTEL_EXPORTER_OTLP_ENDPOINT:
            fault === 'is gone' ? `http://127.0.0.1:${await freePort()}` : collector.url,
          OTEL_EXPORTER_OTLP_TIMEOUT: '300',
          OTEL_BSP_SCHEDULE_DELAY: '50',
          OTEL_BSP_MAX_QUEUE_SIZE: '30',
        },
      })
      const merchant = await service.tenant()
      const dropped = async (reason: string) =>
        (await service.ctx.metrics.spansDropped.get()).values.find(({ labels }) => labels.reason === reason)
          ?.value ?? 0
      const statuses = await Promise.all(
        Array.from({ length: requests }, async () => (await merchant.get('/v1/usage')).status),
      )
      expect(new Set(statuses)).toEqual(new Set([200]))
      await waitUntil(async () => (await dropped('export_failed')) >= 30)
      // Each request has a span at least, and 30 of them may wait.
      const expected = fault === 'hangs' ? requests - 30 : 0
      expect(await dropped('queue_full')).toBeGreaterThanOrEqual(expected)
      expect((await merchant.get('/v1/usage')).status).toBe(200)
    }
    expect(collector.spans).toEqual([])
  },
)

/** Reports every module of OpenTelemetry that is loaded, except for its API, which prom-client loads for itself. */
const reportModules =
  "--import=data:text/javascript,import{registerHooks}from'node:module';registerHooks({load(u,c,n){if(/opentelemetry.(?!api.)/.test(u))process.stderr.write('LOADED:'+u);return(n(u,c))}})"

async function startServing(environment: Record<string, string>) {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await createTestDatabase())
  const port = await freePort()
  const program = stack.use(
    startProgram({
      args: ['serve'],
      environment: testEnvironment(database.url, {
        PORT: String(port),
        NODE_OPTIONS: reportModules,
        ...environment,
      }),
    }),
  )
  await waitUntil(() => program.output().includes('Vidimus is listening'), { within_ms: 120_000 })
  const running = stack.move()
  return {
    ...program,
    // A connection that stays open would be waited for when the process stops.
    get: (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } }),
    async stop() {
      const signalled = performance.now()
      program.child.kill('SIGTERM')
      const status = await Promise.race([program.ended, sleep(stopTimeout_ms + 5000, 'still running')])
      return { status, took_ms: performance.now() - signalled }
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

test('[TRACE-4] no SDK and no exporter of OpenTelemetry is loaded unless a collector is configured', async () => {
  await using service = await startServing({})
  await service.get('/v1/usage')
  expect(service.output()).not.toContain('LOADED:')
})

test('[TRACE-5] a process stops in time although its collector hangs', async () => {
  await using collector = await startCollector()
  collector.respondWith(() => {})
  await using service = await startServing({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '100',
  })
  expect(service.output()).toContain('LOADED:')
  await service.get('/v1/usage')
  await waitUntil(() => collector.bodies.length > 0)
  await service.get('/v1/usage')

  const { status, took_ms } = await service.stop()
  expect(status).toBe(0)
  expect(took_ms).toBeLessThan(stopTimeout_ms)
})
