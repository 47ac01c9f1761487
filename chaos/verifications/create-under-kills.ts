import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { runSqlText } from '../../apps/service/test/database/clock.ts'
import { startProcesses, type ServiceProcesses } from '../../apps/service/test/processes/processes.ts'
import type { Merchant } from '../../apps/service/test/service.ts'
import { sourceFaults } from '../../apps/service/test/injected-faults.ts'
import type { InjectedFault } from '../../apps/service/test/processes/inject-faults.ts'
import type { ChaosRun, ChaosReport } from '../chaos-run.ts'

const fullSize = 60
const clients = 16
const betweenKills_ms = 1000

/**
 * Clients create verifications, each with its own idempotency key, and retry until they get a response. Every second a
 * process is killed, and every other time the database also drops connections of the rest. In the end every acknowledged
 * verification must exist exactly once, and the tenant's usage must equal its number of verifications.
 */
export const createUnderKills: ChaosRun = ({ n = fullSize }) => run('create', n, [])

/** The same with an injected fault: usage is counted after the transaction instead of in it. The run must detect the mismatch. */
export const createWithInjectedFault: ChaosRun = ({ n = fullSize }) =>
  run('create.injected', n, sourceFaults.countedOutsideTransaction)

async function run(name: string, kills: number, injectedFaults: InjectedFault[]): Promise<ChaosReport> {
  await using service = await startProcesses(3, {
    injectedFaults,
  })
  if (injectedFaults.length > 0) await removeCountFromTransaction(service)
  const merchant = await service.tenant({ daily_quota: 1_000_000_000 })
  const createdIds = new Map<string, Set<string>>()
  const abort = new AbortController()
  const clientLoops = Array.from({ length: clients }, () =>
    createUntilAborted(merchant, abort.signal, createdIds),
  )
  const faults = await killProcesses(service, kills)
  abort.abort()
  await Promise.all(clientLoops)
  return await buildReport(name, service, merchant, { createdIds, faults })
}

/** Creates verifications until aborted. A request that failed is retried with the same key until it gets a response. */
async function createUntilAborted(
  merchant: Merchant,
  abort: AbortSignal,
  createdIds: Map<string, Set<string>>,
): Promise<void> {
  while (!abort.aborted) {
    const key = randomUUID()
    for (let tries = 0; tries < 200; tries += 1) {
      const response = await merchant
        .post('/v1/verifications', { template: 'age_over_18' }, { headers: { 'idempotency-key': key } })
        .catch(() => undefined) // the process was killed under the request
      if (response?.status === 201) {
        createdIds.set(key, (createdIds.get(key) ?? new Set()).add(response.body.id))
        break
      }
      await sleep(20)
    }
  }
}

/** Kills and replaces a process every second; every other time the database also terminates connections. */
async function killProcesses(service: ServiceProcesses, kills: number): Promise<number> {
  let faults = 0
  for (let count = 1; count <= kills; count += 1) {
    await sleep(betweenKills_ms)
    const place = randomInt(service.processes.length)
    const [victim] = service.processes.splice(place, 1)
    victim?.child.kill('SIGKILL')
    faults += 1
    if (count % 2 === 0) {
      await service.ctx.db.execute(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and random() < 0.5`)
      faults += 1
    }
    await service.start()
  }
  return faults
}

type RunObservations = { createdIds: Map<string, Set<string>>; faults: number }

async function buildReport(
  name: string,
  service: ServiceProcesses,
  merchant: Merchant,
  { createdIds, faults }: RunObservations,
): Promise<ChaosReport> {
  const rows = await service.ctx.db.query<{ id: string }>(
    sql`select id from verification_sessions where tenant_id = ${merchant.tenant_id}`,
  )
  const [usage] = await service.ctx.db.query<{ used: number }>(
    sql`select used from tenant_usage where tenant_id = ${merchant.tenant_id}`,
  )
  const stored = new Set(rows.map(({ id }) => id))
  const acknowledged = Array.from(createdIds.values(), (ids) => [...ids])
  return {
    name,
    faults,
    acknowledged: acknowledged.length,
    lost: acknowledged.flat().filter((id) => !stored.has(id)).length,
    // Two ids for one key, or a usage count that differs from the number of verifications.
    duplicated:
      acknowledged.filter((ids) => ids.length > 1).length + Math.abs((usage?.used ?? 0) - stored.size),
  }
}

async function removeCountFromTransaction({ ctx }: ServiceProcesses): Promise<void> {
  const [row] = await ctx.db.query<{ source: string }>(
    sql`select pg_get_functiondef(oid) as source from pg_proc where proname = 'create_verifications'`,
  )
  const counting = 'counts[tenant] + 1'
  if (row === undefined || !row.source.includes(counting))
    throw new Error(`create_verifications no longer contains "${counting}"`)
  await runSqlText(ctx.db, row.source.replace(counting, 'counts[tenant]'))
}
