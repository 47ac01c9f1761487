import { setTimeout as sleep } from 'node:timers/promises'
import { createTestDatabase } from '../../apps/service/test/database/test-database.ts'
import {
  startProcess,
  type ProcessOptions,
  type ServiceProcess,
} from '../../apps/service/test/processes/processes.ts'
import { testEnvironment } from '../../apps/service/test/service.ts'
import { insertVerifications } from '../../bench/growth/fill.ts'
import type { ChaosReport, ChaosRun } from '../chaos-run.ts'
import { startLoadBalancer, stop } from '../outages/rolling-restart.ts'
import { runMerchant, type LoadResult } from './merchant-load.ts'
import { makeNextRelease } from './next-release.ts'
import { createMerchant, runRelease, startWorker } from './run-release.ts'

const fullSize = 100_000
const clients = 6
const phase_ms = 5000
const oldProgram = 'apps/service/src/main.ts'

/**
 * An upgrade to the next release as docs/operate/upgrade.md describes it, with `n` verifications in the database and merchants that create, complete,
 * read and list: `migrate` of the new version while two `serve` and a `work` of the old one run, then each of them is exchanged. `lost` counts every request
 * that failed, for whatever reason, 503 included; every verification that the new version does not show as it was acknowledged; an audit log that is
 * not valid; and processes that did not stop cleanly.
 */
export const upgradeUnderLoad: ChaosRun = ({ n = fullSize }) =>
  upgrade('upgrade', n, 'alter table verification_sessions add column note text')

/** The same with a migration that the old version does not work with: it renames a column. The run must detect it. */
export const upgradeWithInjectedFault: ChaosRun = ({ n = 1000 }) =>
  upgrade('upgrade.injected', n, 'alter table verification_sessions rename column purpose to reason')

async function upgrade(name: string, n: number, migration: string): Promise<ChaosReport> {
  using next = makeNextRelease(migration)
  await using database = await createTestDatabase({ empty: true })
  const environment = testEnvironment(database.url)
  const run = (main: string, ...args: string[]) => runRelease(main, args, environment)
  await run(oldProgram, 'migrate')
  const { tenant_id, key } = await createMerchant(oldProgram, environment)
  await using resources = new AsyncDisposableStack()
  const start = async (options: ProcessOptions) => {
    const started = await startProcess(environment, options)
    resources.defer(() => void started.child.kill('SIGKILL'))
    return started
  }
  const service = { processes: [await start({ run: oldProgram }), await start({ run: oldProgram })] }
  const oldWorker = resources.use(startWorker(oldProgram, environment))
  await insertVerifications(database.url, {
    day: new Date().toISOString().slice(0, 10),
    verifications: n,
    tenant_id,
  })

  const result: LoadResult = { requests: 0, completed: [], pending: [], failed: [] }
  const abort = new AbortController()
  const ready = startLoadBalancer(service, abort.signal)
  const load = Array.from({ length: clients }, () => runMerchant({ key, ready, result, abort: abort.signal }))
  await sleep(phase_ms)
  const before = result.requests
  const began = performance.now()
  const applied = (await run(next.program, 'migrate')).trim().split('\n').length
  const migrate_s = (performance.now() - began) / 1000
  await sleep(phase_ms)
  const unclean: boolean[] = []
  for (let count = 0; count < 2; count += 1) {
    service.processes.push(await start({ run: next.program }))
    const oldest: ServiceProcess | undefined = service.processes.shift()
    if (oldest !== undefined) unclean.push(!(await stop(oldest)))
    await sleep(phase_ms)
  }
  resources.use(startWorker(next.program, environment))
  unclean.push(!(await stop(oldWorker)))
  await sleep(phase_ms)
  abort.abort()
  await Promise.all(load)
  const [reader] = service.processes
  const missing = reader === undefined ? ['no process'] : await findMissing(reader.address, key, result)
  const broken = await run(next.program, 'admin', 'audit', 'verify', '--tenant', tenant_id).then(
    () => [],
    (error: Error) => [error.message],
  )
  const problems = [...result.failed, ...missing, ...broken]
  process.stderr.write(
    `${name}: ${n} verifications, ${applied} migrations in ${migrate_s.toFixed(1)} s, ${result.requests} requests (${before} before), ${result.completed.length} completed, ${result.failed.length} failed, ${missing.length} wrong afterwards\n`,
  )
  for (const problem of new Set(problems.slice(0, 20))) process.stderr.write(`  ${problem}\n`)
  return {
    name,
    faults: 1 + 3,
    requests: result.requests,
    acknowledged: result.completed.length + result.pending.length,
    lost: problems.length + unclean.filter(Boolean).length,
    duplicated: 0,
  }
}

/** The verifications that the new version shows otherwise than they were acknowledged. */
async function findMissing(
  address: string,
  key: string,
  { completed, pending }: LoadResult,
): Promise<string[]> {
  const wrong: string[] = []
  for (const [status, ids] of [
    ['completed', completed],
    ['pending', pending],
  ] as const)
    for (const id of ids) {
      const response = await fetch(`${address}/v1/verifications/${id}`, {
        headers: { authorization: `Bearer ${key}` },
      })
      const text = await response.text()
      const shown: { status?: string; claims?: unknown; credentials?: unknown[] } = JSON.parse(text)
      // What is pending expires after a while.
      const right = shown.status === status || (status === 'pending' && shown.status === 'expired')
      if (!right) wrong.push(`${status} before, now ${text.slice(0, 200)}`)
    }
  return wrong
}
