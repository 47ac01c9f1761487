import { sourceFaults } from '../../../../test/injected-faults.ts'
import { execFileSync } from 'node:child_process'
import { constants, mkdtempSync, openSync, closeSync, writeSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../../test/database/test-database.ts'
import { startFaultProxy } from '../../../../test/network/fault-proxy.ts'
import { freePort } from '../../../../test/processes/redis-server.ts'
import { newMerchant, testEnvironment } from '../../../../test/service.ts'
import {
  startProgram,
  type RunningProgram,
  type ProgramOptions,
} from '../../../../test/processes/start-program.ts'
import { waitUntil } from '../../../../test/wait-until.ts'
import { readConfig } from '../../../engine/config/config.ts'
import { openContext } from '../../context.ts'
import { openLog } from '../../../engine/observability/log.ts'

/** How long an orchestrator waits before it sends SIGKILL. */
const stopTimeout_ms = 15_000
/** A scrape needs nothing outside the process. The machine may be busy with other tests. */
const scrapeTimeout_ms = 3000

async function startBehindProxy(options: Omit<ProgramOptions, 'environment'>, line: string) {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await createTestDatabase())
  const url = new URL(database.url)
  const proxy = stack.use(await startFaultProxy({ port: Number(url.port || 5432), host: url.hostname }))
  url.host = `127.0.0.1:${proxy.port}`
  const [port, metrics_port] = [await freePort(), await freePort()]
  const environment = testEnvironment(url.href, { PORT: String(port), METRICS_PORT: String(metrics_port) })
  const program = stack.use(startProgram({ ...options, environment }))
  await waitUntil(() => program.output().includes(line), { within_ms: 60_000 })
  const disposable = stack.move()
  return {
    program,
    proxy,
    get: (path: string, headers: Record<string, string> = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers }),
    /** Creates a tenant with a key, not through the proxy. */
    async newKey() {
      await using ctx = await openContext({
        ...readConfig(testEnvironment(database.url)),
        log: openLog({ LOG_LEVEL: 'silent' }),
      })
      return (await newMerchant(ctx, '')).key
    },
    health: async (path: string) => (await fetch(`http://127.0.0.1:${metrics_port}${path}`)).status,
    scrape: async () =>
      (
        await fetch(`http://127.0.0.1:${metrics_port}/metrics`, {
          signal: AbortSignal.timeout(scrapeTimeout_ms),
        })
      ).text(),
    [Symbol.asyncDispose]: () => disposable.disposeAsync(),
  }
}

async function stop(
  { child, ended }: RunningProgram,
  signal: 'SIGTERM' | 'SIGINT',
): Promise<{ status: number | string; took_ms: number }> {
  const signalled = performance.now()
  child.kill(signal)
  const status = await Promise.race([ended, sleep(stopTimeout_ms + 2000, 'still running')])
  return { status, took_ms: performance.now() - signalled }
}

test('while PostgreSQL does not respond, the worker serves its metrics and stops in time', async () => {
  await using worker = await startBehindProxy({ args: ['work'] }, 'Vidimus worker')
  await worker.proxy.begin('silence')
  await sleep(1000)

  expect(await worker.scrape()).toContain('vidimus_audit_lag_seconds')
  const { status, took_ms } = await stop(worker.program, 'SIGTERM')
  expect([0, 1]).toContain(status)
  expect(took_ms).toBeLessThan(stopTimeout_ms)
})

test('a worker is not ready while PostgreSQL does not respond, and ready again afterwards', async () => {
  const options = { args: ['work'], injectedFaults: sourceFaults.impatient }
  await using worker = await startBehindProxy(options, 'Vidimus worker')
  await waitUntil(async () => (await worker.health('/readyz')) === 200)
  await worker.proxy.begin('silence')
  await waitUntil(async () => (await worker.health('/readyz')) === 503)
  expect(await worker.health('/healthz')).toBe(200)
  expect(await worker.scrape()).toMatch(/vidimus_worker_loop_overdue_seconds\{loop="audit"\} [1-9]/)

  await worker.proxy.end()
  await waitUntil(async () => (await worker.health('/readyz')) === 200)
})

test('a second signal stops the worker at once', async () => {
  await using worker = await startBehindProxy({ args: ['work'] }, 'Vidimus worker')
  await worker.proxy.begin('silence')
  await sleep(500)
  worker.program.child.kill('SIGTERM')
  await sleep(200)

  const signalled = performance.now()
  worker.program.child.kill('SIGINT')
  expect(await worker.program.ended).toBe(1)
  expect(performance.now() - signalled).toBeLessThan(3000)
})

test('while PostgreSQL refuses connections, a worker says so once for all of its loops, and that it works again', async () => {
  const options = { args: ['work'], injectedFaults: sourceFaults.impatient }
  await using worker = await startBehindProxy(options, 'Vidimus worker')
  const readLines = () =>
    worker.program
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line): { message: string; failure?: string } => JSON.parse(line))
  await worker.proxy.begin('refuse')
  await sleep(4000)
  const failures = readLines().filter(({ message }) => message === 'the database fails')
  const kinds = failures.map(({ failure }) => failure)
  expect(kinds).toContain('unreachable')
  // Those that were running when it went away lost their connections.
  expect(new Set(kinds).size).toBe(kinds.length)
  expect(readLines().filter(({ message }) => message.startsWith('background task'))).toEqual([])

  await worker.proxy.end()
  await waitUntil(() => readLines().some(({ message }) => message === 'the database works again'))
  expect(readLines().filter(({ message }) => message.startsWith('background task'))).toEqual([])
})

test('a service stops with 0 while PostgreSQL refuses connections, and says what it could not write', async () => {
  await using service = await startBehindProxy({ args: ['serve'] }, 'Vidimus is listening')
  const key = await service.newKey()
  const used = await service.get('/v1/usage', { authorization: `Bearer ${key}` })
  expect(used.status).toBe(200)
  await service.proxy.begin('refuse')
  const { status } = await stop(service.program, 'SIGINT')
  expect(status).toBe(0)
  expect(service.program.output().match(/could not write the last uses/g)).toHaveLength(1)
})

test('an unhandled error is logged once, and the process drains and exits with 1', async () => {
  const injectedFaults = sourceFaults.unhandledRejection
  await using service = await startBehindProxy({ args: ['serve'], injectedFaults }, 'Vidimus is listening')
  await waitUntil(async () => (await service.get('/readyz')).status === 503, { within_ms: 5000 })
  await using worker = await startBehindProxy({ args: ['work'], injectedFaults }, 'Vidimus worker')

  for (const { program } of [service, worker]) {
    expect(await Promise.race([program.ended, sleep(stopTimeout_ms, 'still running')])).toBe(1)
    expect(program.output().match(/"level":"fatal"/g)).toHaveLength(1)
    expect(program.output()).toContain('nobody handles this')
  }
})

const folder = mkdtempSync(join(tmpdir(), 'vidimus-stderr-'))

function fullPipe(): number {
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  try {
    for (;;) writeSync(pipe, Buffer.alloc(4096))
  } catch {
    // Full.
  }
  const given = openSync(path, constants.O_WRONLY)
  return given
}

test.for([
  ['a full disk', () => openSync('/dev/full', 'w'), 1],
  ['a pipe without a reader', fullPipe, 0],
] as const)(
  'with %s as standard error, requests are served and the process stops in time',
  async ([_what, open, least_dropped]) => {
    const stderr = open()
    await using service = await startBehindProxy({ args: ['serve'], stderr }, 'Vidimus is listening')
    for (let round = 0; round < 5; round += 1) {
      const responses = await Promise.all(Array.from({ length: 100 }, () => service.get('/v1/usage')))
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401]))
      await sleep(300)
    }

    const dropped = Number(/^vidimus_log_lines_dropped_total (\d+)$/m.exec(await service.scrape())?.[1])
    expect(dropped).toBeGreaterThanOrEqual(least_dropped)
    // SIGINT does not wait for idle connections.
    const { status, took_ms } = await stop(service.program, 'SIGINT')
    expect(status).toBe(0)
    expect(took_ms).toBeLessThan(stopTimeout_ms)
    closeSync(stderr)
    rmSync(join(folder, 'pipe'), { force: true })
  },
)
