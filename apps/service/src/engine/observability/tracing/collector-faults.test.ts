import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../../test/database/test-database.ts'
import { startCollector } from '../../../../test/network/collector.ts'
import { startProgram } from '../../../../test/processes/start-program.ts'
import { freePort } from '../../../../test/processes/redis-server.ts'
import { startService, testEnvironment } from '../../../../test/service.ts'
import { waitUntil } from '../../../../test/wait-until.ts'

const stopTimeout_ms = 14_500
const requests = 40

test.for(['hangs', 'fails', 'is gone'] as const)(
  'requests succeed while the collector %s, and the spans that are lost are counted',
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

test('spans that were exported leave the queue, which has room for others then', async () => {
  await using collector = await startCollector()
  await using service = await startService({
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '20',
      OTEL_BSP_MAX_QUEUE_SIZE: '10',
    },
  })
  const merchant = await service.tenant()
  const requestAndCount = async () => {
    await merchant.get('/v1/usage')
    return collector.spans.length
  }
  await expect.poll(requestAndCount, { timeout: 20_000 }).toBeGreaterThan(30)
})

/** Reports every module of OpenTelemetry that is loaded, except for its API, which prom-client loads for itself. */
const reportModules =
  "--import=data:text/javascript,import{registerHooks}from'node:module';import{readFileSync}from'node:fs';registerHooks({load(u,c,n){if(u.startsWith('file:')&&/^\\/\\/.node_modules.@opentelemetry.(?!api.)/m.test(readFileSync(new(URL)(u),'utf8')))process.stderr.write('LOADED:'+u);return(n(u,c))}})"

const startedLines = { serve: 'Vidimus is listening', work: 'Vidimus worker is running' }

async function start(command: 'serve' | 'work', environment: Record<string, string>) {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await createTestDatabase())
  const port = await freePort()
  const program = stack.use(
    startProgram({
      args: [command],
      environment: testEnvironment(database.url, {
        PORT: String(port),
        METRICS_PORT: String(await freePort()),
        NODE_OPTIONS: reportModules,
        ...environment,
      }),
    }),
  )
  await Promise.race([
    waitUntil(() => program.output().includes(startedLines[command]), { within_ms: 120_000 }),
    program.ended.then((status) => Promise.reject(new Error(`it ended with ${status}: ${program.output()}`))),
  ])
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

test('no SDK and no exporter of OpenTelemetry is loaded unless a collector is configured', async () => {
  await using service = await start('serve', {})
  await service.get('/v1/usage')
  expect(service.output()).not.toContain('LOADED:')
})

test('a process stops in time although its collector hangs', { timeout: 180_000 }, async () => {
  await using collector = await startCollector()
  collector.respondWith(() => {})
  await using service = await start('serve', {
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

test.for(['serve', 'work'] as const)(
  '%s stops in time although its exporter waits 50 s before it repeats an export',
  { timeout: 180_000 },
  async (command) => {
    await using collector = await startCollector()
    collector.respondWith((response) => void response.writeHead(503, { 'retry-after': '50' }).end())
    await using program = await start(command, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    })
    // A worker has rounds of its own.
    if (command === 'serve') await program.get('/v1/usage')
    await waitUntil(() => collector.bodies.length > 0, { within_ms: 30_000 })

    const { status, took_ms } = await program.stop()
    expect(status).toBe(0)
    expect(took_ms).toBeLessThan(stopTimeout_ms)
  },
)
