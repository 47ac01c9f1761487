import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '../../apps/service/test/wait-until.ts'
import type { ChaosReport } from '../chaos-run.ts'
import type { ClusterFault } from './faults/fault.ts'
import type { Acknowledgements } from './load/acknowledgements.ts'
import { maxResponse_ms, type Attempt } from './load/attempts.ts'
import { compareAcknowledged } from './load/compare-acknowledged.ts'
import { startQuotaLoad } from './load/exhaust-quota.ts'
import { startLoad, type Load, type LoadRates } from './load/start-load.ts'
import { startCluster, type Cluster, type ClusterOptions } from './start-cluster.ts'

export type FaultRunOptions = {
  name: string
  rounds: number
  rates?: Partial<LoadRates>
  cluster?: ClusterOptions
}

const steady_ms = 3000
const maxRecovery_ms = 150_000
const maxWebhookWait_ms = 90_000

export type FaultRun = { report: ChaosReport; acknowledgements: Acknowledgements; tenant_id: string }

/** Starts a cluster for a fault and injects it under load. If something was found, the logs are kept in `.results/cluster`. */
export async function runFault(fault: ClusterFault, options: FaultRunOptions): Promise<ChaosReport> {
  await using cluster = await startCluster({ ...fault.cluster, ...options.cluster })
  const { report } = await injectUnderLoad(cluster, fault, options)
  if (report.lost + report.duplicated > 0)
    cpSync(join(cluster.folder, 'log'), join('.results', 'cluster', options.name), { recursive: true })
  return report
}

/** Injects a fault into a cluster under load, `rounds` times, and joins what was acknowledged with what is there afterwards. */
export async function injectUnderLoad(
  cluster: Cluster,
  fault: ClusterFault,
  { name, rounds, rates = {} }: FaultRunOptions,
): Promise<FaultRun> {
  await using load = await startLoad(cluster, rates)
  using quota = await startQuotaLoad(cluster, load.attempts)
  await sleep(steady_ms)
  const results: RoundResult[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const result = await runRound(fault, cluster, load, round)
    results.push(result)
    process.stderr.write(`${name} ${round}: ${JSON.stringify(result)}\n`)
  }
  await load.finish()
  const quota_wrong = await quota.finish()
  const { responded, erasing, received } = load.acknowledgements
  const arrived = () => [...responded].every((id) => received.has(id) || erasing.has(id))
  // What is missing then is counted.
  await waitUntil(arrived, { within_ms: maxWebhookWait_ms, every_ms: 200 }).catch(() => undefined)
  const contradictions = {
    ...(await compareAcknowledged(cluster.ctx, load.merchant.tenant_id, load.acknowledgements)),
    quota_wrong,
    audit_failed: results.filter(({ audit }) => audit !== 'verified').length,
    ...countResponses(load.attempts.all, fault),
    exits: [...cluster.serves, ...cluster.works].reduce((sum, one) => sum + one.unexpectedExits(), 0),
  }
  for (const times of load.acknowledgements.sent_after_erasure)
    process.stderr.write(`a webhook after an erasure: ${JSON.stringify(times)}\n`)
  return {
    report: buildReport({ name, fault, rounds, results, load, contradictions }),
    acknowledgements: load.acknowledgements,
    tenant_id: load.merchant.tenant_id,
  }
}

type RoundResult = { what: string; unavailable_s: number; audit: string; audit_s: number }

async function runRound(
  fault: ClusterFault,
  cluster: Cluster,
  { attempts }: Load,
  round: number,
): Promise<RoundResult> {
  await cluster.waitUntilHealthy()
  process.stderr.write(`round ${round} at ${new Date().toISOString()}\n`)
  const first = attempts.all.length
  const injectedAt = Date.now()
  const { what, lasts_ms, end } = await fault.inject(cluster, round)
  const ended = sleep(lasts_ms).then(end)
  const mine = () => attempts.all.slice(first)
  const recovered = (attempt: Attempt) =>
    attempt.kind === 'create' && attempt.status === 201 && attempt.sent_at > injectedAt
  await waitUntil(() => mine().some(recovered), { within_ms: maxRecovery_ms, every_ms: 100 })
  await ended
  // Connections may outlive their postmaster for a moment, so the first acknowledgement does not mean that it is over.
  await sleep(steady_ms)
  await waitUntil(() => isSteady(mine(), attempts.pending), { within_ms: maxRecovery_ms, every_ms: 200 })
  // Straight after the fault: the statistics of the new primary are those of the crash.
  const audit = await verifyAudit(cluster)
  return { what, unavailable_s: longestGap_ms(mine(), injectedAt) / 1000, ...audit }
}

/** Whether creations have been acknowledged, and none refused, for three seconds. */
function isSteady(attempts: readonly Attempt[], pending: ReadonlySet<{ sent_at: number }>): boolean {
  const since = Date.now() - steady_ms
  const recent = attempts.filter(
    ({ kind, sent_at, took_ms }) => kind === 'create' && sent_at + took_ms > since,
  )
  const stuck = [...pending].some(({ sent_at }) => sent_at < since)
  return recent.length > 0 && !stuck && recent.every(({ verdict }) => verdict === 'correct')
}

/** The longest time after the fault in which no creation was acknowledged. */
function longestGap_ms(attempts: readonly Attempt[], injectedAt: number): number {
  const acknowledgedAt = attempts
    .filter(({ kind, status }) => kind === 'create' && status === 201)
    .map(({ sent_at, took_ms }) => sent_at + took_ms)
    .filter((at) => at > injectedAt)
    .toSorted((one, other) => one - other)
  const gaps = acknowledgedAt.map((at, index) => at - (acknowledgedAt[index - 1] ?? injectedAt))
  return Math.max(0, ...gaps)
}

async function verifyAudit(cluster: Cluster): Promise<{ audit: string; audit_s: number }> {
  const started = Date.now()
  const { status, stdout, stderr } = await cluster.run('admin', 'audit', 'verify', '--json')
  const audit = status === 0 ? 'verified' : `status ${status}: ${stderr || stdout}`.slice(0, 500)
  return { audit, audit_s: (Date.now() - started) / 1000 }
}

function countResponses(attempts: readonly Attempt[], { breaksConnections }: ClusterFault) {
  const isWrong = ({ verdict }: Attempt) =>
    verdict === 'wrong' || (verdict === 'broken' && breaksConnections !== true)
  const isSlow = ({ took_ms }: Attempt) => took_ms > maxResponse_ms
  for (const { kind, status, took_ms } of attempts.filter((one) => isWrong(one) || isSlow(one)).slice(0, 20))
    process.stderr.write(`wrong or slow: ${kind} ${status} after ${took_ms} ms\n`)
  return { wrong_responses: attempts.filter(isWrong).length, slow_responses: attempts.filter(isSlow).length }
}

type Observations = {
  name: string
  fault: ClusterFault
  rounds: number
  results: RoundResult[]
  load: Load
  contradictions: Record<string, number>
}

function buildReport({ name, fault, rounds, results, load, contradictions }: Observations): ChaosReport {
  const gaps = results.map(({ unavailable_s }) => unavailable_s).toSorted((one, other) => one - other)
  const { created_twice = 0, charged_wrongly = 0 } = contradictions
  const duplicated = created_twice + charged_wrongly
  const total = Object.values(contradictions).reduce((sum, count) => sum + count, 0)
  return {
    name,
    faults: rounds,
    acknowledged:
      load.acknowledgements.created.size +
      load.acknowledgements.responded.size +
      load.acknowledgements.erased.size,
    lost: total - duplicated,
    duplicated,
    contradictions,
    requests: load.attempts.all.length,
    slowest_s: Math.max(...load.attempts.all.map(({ took_ms }) => took_ms)) / 1000,
    unavailable_s: {
      median: ((gaps[(gaps.length - 1) >> 1] ?? 0) + (gaps[gaps.length >> 1] ?? 0)) / 2,
      worst: gaps.at(-1) ?? 0,
      floor: fault.floor.seconds,
    },
  }
}
