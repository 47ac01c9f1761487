import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../../apps/service/src/engine/config/config.ts'
import { openContext } from '../../../apps/service/src/program/context.ts'
import { openLog } from '../../../apps/service/src/engine/observability/log.ts'
import { freePort } from '../../../apps/service/test/processes/redis-server.ts'
import { runProgram } from '../../../apps/service/test/processes/run-program.ts'
import { startProgram } from '../../../apps/service/test/processes/start-program.ts'
import { newMerchant, testEnvironment } from '../../../apps/service/test/service.ts'
import { signIn } from '../../../apps/service/test/sign-in/browser.ts'
import { waitUntil } from '../../../apps/service/test/wait-until.ts'
import type { ChaosReport, ChaosRun } from '../../chaos-run.ts'
import { removeCluster } from '../processes/remove-cluster.ts'
import { startBackedUpServer, type BackedUpServer } from './backed-up-server.ts'
import { startProbes } from './ended-access.ts'
import { startRestoreLoad, type RestoreLoad } from './start-restore-load.ts'

const fullSize = 20
const load_ms = 5000
const backupSecond_ms = 1100
/** Without a ledger the service goes on by itself, and has this long to show what came back. */
const unguarded_ms = 3000

/**
 * Restores the database to a random time of the last seconds under load, with pgBackRest, while `serve` and `work` keep running; then runs
 * `vidimus admin restore apply`. All the time, requests ask for what was erased or revoked. None may succeed.
 */
export const restoreToTimes: ChaosRun = ({ n = fullSize }) =>
  drill({ name: 'restore.point_in_time', rounds: n, withLedger: true })

/** The same without ERASURE_LEDGER: what was erased comes back, and the run must see it. */
export const restoreWithoutLedger: ChaosRun = ({ n = 3 }) =>
  drill({ name: 'restore.injected', rounds: n, withLedger: false })

type DrillOptions = { name: string; rounds: number; withLedger: boolean }

async function drill({ name, rounds, withLedger }: DrillOptions): Promise<ChaosReport> {
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-restore-'))
  chmodSync(folder, 0o755) // PostgreSQL runs as another user
  for (const each of ['log', 'pid', 'checkpoints', 'ledger']) mkdirSync(join(folder, each))
  try {
    const server = await startBackedUpServer(folder)
    const port = await freePort()
    const environment = testEnvironment(server.url, {
      PORT: String(port),
      METRICS_PORT: 'off',
      BASE_URL: `http://127.0.0.1:${port}`,
      WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8',
      WEBHOOK_BACKOFF_SECONDS: '1,2,5',
      AUDIT_CHECKPOINT_DIR: join(folder, 'checkpoints'),
      ...(withLedger && { ERASURE_LEDGER: join(folder, 'ledger') }),
    })
    return await runRounds({ name, rounds, withLedger, server, environment })
  } finally {
    await removeCluster(folder)
  }
}

type Rounds = DrillOptions & {
  server: BackedUpServer & { backUp(): Promise<void> }
  environment: Record<string, string>
}

async function runRounds({ name, rounds, withLedger, server, environment }: Rounds): Promise<ChaosReport> {
  const run = (...args: string[]) => runProgram(args, environment)
  const migrated = await run('migrate')
  if (migrated.status !== 0) throw new Error(`vidimus migrate failed: ${migrated.stderr}`)
  const address = environment['BASE_URL'] ?? ''
  await using serve = startProgram({ args: ['serve'], environment })
  await using work = startProgram({ args: ['work'], environment })
  await waitUntil(() => isReady(address), { within_ms: 120_000, every_ms: 50 })
  await using probes = startProbes()
  await using load = await prepareLoad(address, environment, probes)
  await server.backUp()
  // pgBackRest knows the end of a backup by its second, and restores to a later one.
  await sleep(backupSecond_ms)

  const total = { entries: 0, not_ready: 0, audit_failed: 0, tills_refused: 0, tills: 0, rounds_with_loss: 0 }
  for (let round = 1; round <= rounds; round += 1) {
    const from = await server.now()
    await load.run(load_ms)
    // The planted fault has to show in every round, so that much comes back.
    const part = withLedger ? Math.random() : 0.3
    const time = timeBetween(from, await server.now(), part)
    const started = performance.now()
    await server.restoreTo(time)
    const restored_s = (performance.now() - started) / 1000
    const result = await recover({ address, run, load, withLedger })
    process.stderr.write(
      `${name} ${round}: ${JSON.stringify({ time, restored_s, ...result, accepted: probes.accepted })}\n`,
    )
    total.entries += result.entries
    total.rounds_with_loss += result.entries > 0 ? 1 : 0
    total.not_ready += result.ready ? 0 : 1
    total.audit_failed += result.audited ? 0 : 1
    total.tills_refused += result.refused
    total.tills += result.tills
  }
  await probes.askAll()
  const counts = probes.counts()
  const contradictions = {
    ...Object.fromEntries(
      Object.entries(probes.accepted).map(([kind, count]) => [`${kind}_accepted`, count]),
    ),
    webhooks_after_erasure: load.sent_after_erasure(),
    tills_refused: total.tills_refused,
    not_ready: total.not_ready,
    audit_failed: total.audit_failed,
    exits: [serve, work].filter(({ child }) => child.exitCode !== null).length,
  }
  process.stderr.write(
    `${name}: ${JSON.stringify({ ...total, ended: counts, webhooks: load.webhooks(), refused: load.refused() })}\n`,
  )
  return {
    name,
    faults: rounds,
    acknowledged: Object.values(counts).reduce((sum, count) => sum + count, 0),
    lost: Object.values(contradictions).reduce((sum, count) => sum + count, 0),
    duplicated: 0,
    contradictions,
    requests: probes.requests(),
  }
}

/** A merchant with an owner and the load, prepared before the backup. */
async function prepareLoad(
  address: string,
  environment: Record<string, string>,
  probes: Parameters<typeof startRestoreLoad>[0]['probes'],
): Promise<RestoreLoad> {
  await using ctx = await openContext({ ...readConfig(environment), log: openLog({ LOG_LEVEL: 'silent' }) })
  const merchant = await newMerchant(ctx, address, { daily_quota: 1_000_000_000 })
  const owner = await signIn({ address, ctx }, { tenant_id: merchant.tenant_id })
  return await startRestoreLoad({ service: { address, ctx }, merchant, owner, probes })
}

type Recovery = {
  address: string
  run: (...args: string[]) => ReturnType<typeof runProgram>
  load: RestoreLoad
  withLedger: boolean
}

/** What an operator does after a restore. */
async function recover({ address, run, load, withLedger }: Recovery) {
  if (!withLedger) await sleep(unguarded_ms)
  const applied = await run('admin', 'restore', 'apply', '--json')
  if (applied.status !== 0) throw new Error(`admin restore apply failed: ${applied.stderr}`)
  const { entries }: { entries: number } = JSON.parse(applied.stdout)
  const ready = await waitUntil(() => isReady(address), { within_ms: 60_000, every_ms: 50 }).then(
    () => true,
    () => false,
  )
  const tills = await load.refreshTills()
  const audit = await run('admin', 'audit', 'verify', '--json')
  return {
    entries,
    ready,
    ...tills,
    audited: audit.status === 0,
    ...(audit.status !== 0 && { audit: audit.stdout }),
  }
}

/** A time between two, with milliseconds. */
function timeBetween(from: string, to: string, part: number): string {
  const [first, last] = [Date.parse(from), Date.parse(to)]
  return new Date(first + part * (last - first)).toISOString().replace('T', ' ').replace('Z', '+00')
}

async function isReady(address: string): Promise<boolean> {
  const response = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(
    () => undefined,
  )
  return response?.status === 200
}
