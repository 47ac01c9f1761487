import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { revokeKey } from '../../apps/service/src/accounts/api-keys/roll-key.ts'
import { sourceFaults } from '../../apps/service/test/injected-faults.ts'
import type { InjectedFault } from '../../apps/service/test/processes/inject-faults.ts'
import type { Merchant } from '../../apps/service/test/service.ts'
import { waitUntil } from '../../apps/service/test/wait-until.ts'
import { openWallet } from '../../apps/service/test/wallet.ts'
import type { ChaosReport, ChaosRun } from '../chaos-run.ts'
import { startProbes, type Probes } from './restore/ended-access.ts'
import { startCluster, type Cluster } from './start-cluster.ts'

const fullSize = 10
const verificationsPerRound = 10
const keysPerRound = 2
/** How long the lost erasures are asked for before they are applied, and afterwards. */
const watch_ms = 3000
const maxWait_ms = 150_000

/** An asynchronous standby takes over without the latest erasures and revocations: none may be undone for one request even. */
export const asyncFailover: ChaosRun = ({ n = fullSize }) =>
  failOver({ name: 'cluster.async_failover', rounds: n })

/** The ledger is written a minute after the commit, so what the standby lacks is not in it. */
export const asyncFailoverWithLateLedger: ChaosRun = ({ n = 1 }) =>
  failOver({
    name: 'cluster.async_failover.late.injected',
    rounds: n,
    injectedFaults: sourceFaults.lateLedger,
  })

/** The database is compared with the ledger at the start only, and not when a connection is replaced. */
export const asyncFailoverComparedAtStart: ChaosRun = ({ n = 1 }) =>
  failOver({
    name: 'cluster.async_failover.start.injected',
    rounds: n,
    injectedFaults: sourceFaults.comparedAtStart,
  })

type FailOver = { name: string; rounds: number; injectedFaults?: readonly InjectedFault[] }

async function failOver({ name, rounds, injectedFaults = [] }: FailOver): Promise<ChaosReport> {
  const ledger = mkdtempSync(join(tmpdir(), 'vidimus-ledger-'))
  try {
    await using cluster = await startCluster({
      nodes: 2,
      synchronous: false,
      works: 1,
      environment: { ERASURE_LEDGER: ledger },
      injectedFaults,
    })
    await using probes = startProbes()
    const merchant = await cluster.tenant({ daily_quota: 100_000 })
    let lostByDatabase = 0
    for (let round = 1; round <= rounds; round += 1) {
      await cluster.waitUntilHealthy(maxWait_ms)
      const lost = await runRound({
        cluster,
        merchant,
        probes,
        keys: injectedFaults.length === 0 ? keysPerRound : 0,
      })
      lostByDatabase += lost
      process.stderr.write(
        `${name} ${round}: ${lost} entries lost by the database, ${JSON.stringify(probes.accepted)}\n`,
      )
    }
    await probes.askAll()
    const { verification, key } = probes.accepted
    return {
      name,
      faults: rounds,
      acknowledged: probes.counts().verification + probes.counts().key,
      lost: verification + key,
      duplicated: 0,
      // A round in which the standby had everything shows nothing.
      contradictions: {
        verifications_readable: verification,
        keys_accepted: key,
        entries_lost_by_the_database: lostByDatabase,
      },
      requests: probes.requests(),
    }
  } finally {
    rmSync(ledger, { recursive: true, force: true })
  }
}

/** Keys are revoked by this process, whose source has no injected faults. */
type Round = { cluster: Cluster; merchant: Merchant; probes: Probes; keys: number }

/** Returns how many entries the new primary lacked, as `vidimus admin restore apply` counts them. */
async function runRound({ cluster, merchant, probes, keys: keyCount }: Round): Promise<number> {
  const wallet = await openWallet(cluster.ctx, cluster.address)
  const ids: string[] = []
  while (ids.length < verificationsPerRound) {
    const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
    await wallet.respond(body.wallet_uri)
    ids.push(body.id)
  }
  const keys = await Promise.all(Array.from({ length: keyCount }, () => merchant.as({})))
  await cluster.waitUntilHealthy(maxWait_ms)
  await sleep(1000) // the standby has all of that

  const primary = await cluster.primary()
  primary.freezeReplication()
  for (const id of ids) {
    if ((await merchant.delete(`/v1/verifications/${id}`)).status !== 200) continue
    probes.add({
      kind: 'verification',
      isAccepted: async () => (await merchant.get(`/v1/verifications/${id}`)).status === 200,
    })
  }
  for (const revoked of keys) {
    const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
    await revokeKey(cluster.ctx, { by, key_id: revoked.key_id })
    probes.add({ kind: 'key', isAccepted: async () => (await revoked.get('/v1/usage')).status === 200 })
  }
  await primary.kill()
  await waitUntil(async () => (await cluster.primary().catch(() => primary)) !== primary, {
    within_ms: maxWait_ms,
    every_ms: 200,
  })
  await sleep(watch_ms)
  const entries = await applyRestore(cluster)
  await waitUntil(async () => (await fetch(`${cluster.address}/readyz`)).status === 200, {
    within_ms: maxWait_ms,
  })
  await sleep(watch_ms)
  primary.start()
  return entries
}

/** The database may still refuse connections, or only be found by HAProxy a moment later. */
async function applyRestore(cluster: Cluster): Promise<number> {
  const until = Date.now() + maxWait_ms
  for (;;) {
    const { status, stdout, stderr } = await cluster.run('admin', 'restore', 'apply', '--json')
    if (status === 0) return Number(JSON.parse(stdout).entries)
    if (Date.now() > until) throw new Error(`vidimus admin restore apply failed: ${stderr}`)
    await sleep(1000)
  }
}
