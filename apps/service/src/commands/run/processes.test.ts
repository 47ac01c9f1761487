import { execFileSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, mkdtempSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openRawConnection } from '../../../test/network/raw-connection.ts'
import { startProcesses, type ProcessOptions } from '../../../test/processes/processes.ts'
import { freePort } from '../../../test/processes/redis-server.ts'
import { runProgram } from '../../../test/processes/run-program.ts'
import { testEnvironment } from '../../../test/service.ts'
import { waitUntil } from '../../../test/wait-until.ts'

/** `vidimus serve --processes 2` with its metrics on a known port. */
async function startSupervised(options: ProcessOptions = {}) {
  const metrics_port = await freePort()
  const service = await startProcesses(1, {
    args: ['serve', '--processes', '2'],
    ...options,
    environment: { METRICS_PORT: String(metrics_port), ...options.environment },
  })
  const [supervisor] = service.processes
  if (supervisor === undefined) throw new Error('no supervisor was started')
  const get = (path: string) => fetch(`http://127.0.0.1:${metrics_port}${path}`)
  return {
    ...service,
    supervisor,
    get,
    /** The process ids of the children, oldest first. */
    children: () => listChildren(supervisor.child.pid),
    metric: async (name: string): Promise<number> => {
      const text = await (await get('/metrics')).text()
      const line = text.split('\n').find((each) => each.startsWith(`${name} `))
      return Number(line?.split(' ')[1])
    },
  }
}

function listChildren(pid: number | undefined): number[] {
  const listed = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
  return listed
    .split('\n')
    .map(Number)
    .filter((child) => child > 0)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    // There is no such process.
    return false
  }
}

function exit(child: ChildProcess, signal: NodeJS.Signals) {
  const ended = once(child, 'exit')
  child.kill(signal)
  return ended
}

/** Requests over connections that are kept, and some that are not. Returns the statuses and errors that were not 200. */
async function callUntilAborted(
  url: string,
  signal: AbortSignal,
): Promise<{ answered: number; failed: string[] }> {
  const found = { answered: 0, failed: [] as string[] }
  const call = (agent: Agent) =>
    new Promise<void>((resolve) => {
      const fail = (what: string) => resolve(void found.failed.push(what))
      request(url, { agent }, (response) => {
        response.resume().on('error', (error) => fail(error.message))
        response.on('end', () => {
          if (response.statusCode !== 200) return fail(String(response.statusCode))
          found.answered += 1
          resolve()
        })
      })
        .on('error', (error) => fail(error.message))
        .end()
    })
  const clients = Array.from({ length: 12 }, async (_, index) => {
    const agent = new Agent({ keepAlive: index % 3 !== 0, maxSockets: 1 })
    while (!signal.aborted) {
      await call(agent)
      await sleep(index * 10)
    }
    agent.destroy()
  })
  await Promise.all(clients)
  return found
}

test('[PROC-1] [PROC-5] several processes share a port, their metrics are one, and a crash neither ends the service nor loses a count', async () => {
  await using service = await startSupervised()
  const { supervisor, metric, get } = service
  const { key } = await service.tenant()
  const headers = { authorization: `Bearer ${key}`, connection: 'close' }
  for (let index = 0; index < 6; index += 1) await fetch(`${supervisor.address}/v1/usage`, { headers })

  const lines = () =>
    supervisor
      .log()
      .split('\n')
      .filter((line) => line.includes('"route":"/v1/usage"'))
  await waitUntil(() => lines().length === 6)
  expect(new Set(lines().map((line) => JSON.parse(line).process))).toEqual(new Set([1, 2]))
  const counted =
    'http_server_request_duration_seconds_count{http_request_method="GET",http_route="/v1/usage",http_response_status_code="200"}'
  expect(await metric(counted)).toBe(6)
  expect(await metric('vidimus_processes{state="ready"}')).toBe(2)
  expect([(await get('/healthz')).status, (await get('/readyz')).status]).toEqual([200, 200])

  const [first = 0] = service.children()
  process.kill(first, 'SIGKILL')
  await waitUntil(async () => (await metric('vidimus_process_crashes_total')) === 1)
  await waitUntil(async () => (await metric('vidimus_processes{state="ready"}')) === 2, { within_ms: 60_000 })
  expect(await metric(counted)).toBe(6)
  expect(service.children()).not.toContain(first)
  expect(supervisor.log()).toContain('"status":"SIGKILL"')
})

test('[PROC-3] [PROC-4] on SIGHUP each process is replaced by one with the current files, without a failed request, and wrong ones change nothing', async () => {
  using folder = temporaryFolder()
  const file = join(folder.path, 'base-url')
  writeFileSync(file, 'http://one.example')
  await using service = await startSupervised({ environment: { BASE_URL_FILE: file } })
  const { supervisor } = service
  const before = service.children()

  writeFileSync(file, 'not a url')
  supervisor.child.kill('SIGHUP')
  await waitUntil(() => supervisor.log().includes('a new process did not become ready'), {
    within_ms: 60_000,
  })
  expect(supervisor.log()).toContain('BASE_URL must be the public URL')
  expect(service.children()).toEqual(before)

  writeFileSync(file, 'http://two.example')
  const abort = new AbortController()
  const load = callUntilAborted(`${supervisor.address}/readyz`, abort.signal)
  supervisor.child.kill('SIGHUP')
  await waitUntil(() => supervisor.log().includes('all processes were replaced'), { within_ms: 60_000 })
  abort.abort()
  const { answered, failed } = await load
  expect(failed).toEqual([])
  expect(answered).toBeGreaterThan(50)
  const after = service.children()
  expect(after).toHaveLength(2)
  expect(after.some((pid) => before.includes(pid))).toBe(false)
  const unknown = await fetch(`${supervisor.address}/v1/nothing`, { headers: { connection: 'close' } })
  expect(unknown.headers.get('link')).toContain('http://two.example/')
})

test('[PROC-2] [FAULT-4] on SIGTERM all processes drain and the supervisor exits with 0', async () => {
  await using service = await startSupervised()
  const { supervisor } = service
  const children = service.children()
  expect(await exit(supervisor.child, 'SIGTERM')).toEqual([0, null])
  expect(children.filter(isRunning)).toEqual([])
  expect(supervisor.log().match(/"message":"stopping"/g)).toHaveLength(2)
})

test('[PROC-2] children end without their supervisor, and a second signal ends everything at once', async () => {
  await using service = await startSupervised()
  const { supervisor, children } = service
  using held = openRawConnection(supervisor.address)
  held.write('POST /v1/verifications HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n')
  const pids = children()
  supervisor.child.kill('SIGTERM')
  await sleep(300)
  expect(await exit(supervisor.child, 'SIGTERM')).toEqual([1, null])
  await waitUntil(() => !pids.some(isRunning), { within_ms: 3000 })

  await service.start()
  const restarted = service.processes.at(-1)
  const orphans = listChildren(restarted?.child.pid)
  expect(orphans).toHaveLength(2)
  restarted?.child.kill('SIGKILL')
  await waitUntil(() => !orphans.some(isRunning), { within_ms: 30_000 })
  expect(restarted?.log()).toContain('the supervisor is gone')
})

test('[PROC-6] processes that keep ending shortly after their start end the supervisor with 1', async () => {
  const injectedFaults = [
    {
      file: 'platform/processes/restart-policy.ts',
      find: 'maxEarlyEnds = 5',
      replacement: 'maxEarlyEnds = 2',
    },
    {
      file: 'serve.ts',
      find: "'serving')",
      replacement: "'serving'); setTimeout(() => process.exit(3), 500)",
    },
  ]
  await using service = await startSupervised({ args: ['serve', '--processes', '1'], injectedFaults })
  const { child, log } = service.supervisor
  const [status] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode]
  expect(status).toBe(1)
  expect(log()).toContain('"status":3,"restart_in_ms":200')
  expect(log()).toContain('the supervisor gives up')
})

test('[PROC-6] a service that cannot start says why once', async () => {
  const environment = testEnvironment('postgres://postgres@127.0.0.1:1/none', { WEB_CONCURRENCY: '3' })
  const { status, stdout, stderr } = await runProgram(['serve'], environment)
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toBe("Can't connect to PostgreSQL at 127.0.0.1:1. Is it running?\n")
})

test('[PROC-7] several processes in production need Redis for their rate limits, and the number of processes is checked', async () => {
  const production = testEnvironment('postgres://postgres@127.0.0.1:1/none', {
    NODE_ENV: 'production',
    BASE_URL: 'https://verify.example.com',
    RATE_LIMITS: 'key=6000/60,ip=6000/60,session=600/60',
  })
  const refused = await runProgram(['serve', '--processes', '4'], production)
  const wrong = await runProgram(['serve', '--processes', 'many'], production)
  expect([refused.status, refused.stderr]).toEqual([
    1,
    'The configuration has a mistake: REDIS_URL is required in production with 4 processes, which share rate limits through Redis\n',
  ])
  expect([wrong.status, wrong.stderr]).toEqual([
    2,
    '--processes must be 0-128, or auto. See `vidimus help serve`.\n',
  ])
})

function temporaryFolder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'vidimus-processes-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) }
}
