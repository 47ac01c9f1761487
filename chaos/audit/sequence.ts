import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLog } from '../../apps/service/src/audit/log/open-log.ts'
import { verifyEverything } from '../../apps/service/src/audit/verify/verify.ts'
import type { Context } from '../../apps/service/src/engine/context.ts'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { runSqlText } from '../../apps/service/test/database/clock.ts'
import { startProcesses, type ServiceProcesses } from '../../apps/service/test/processes/processes.ts'
import { testEnvironment, type Merchant } from '../../apps/service/test/service.ts'
import { waitUntil } from '../../apps/service/test/wait-until.ts'
import { startWorkerProcesses } from '../../apps/service/test/processes/worker-processes.ts'
import { sourceFaults } from '../../apps/service/test/injected-faults.ts'
import type { InjectedFault } from '../../apps/service/test/processes/inject-faults.ts'
import type { ChaosRun, ChaosReport } from '../chaos-run.ts'

const fullSize = 200_000
const entriesPerTenant = 200
const entriesPerKill = 4000
const minKills = 3
const creationsPerSecond = 300
const maxInFlight = 200
const workers = 2
/** From commit to sequenced, at the 99th percentile. */
const maxP99_ms = 2000

/**
 * Tenants create verifications at a steady rate while the workers that sequence the audit entries are killed repeatedly. In
 * the end every creation has exactly one entry in its tenant's chain, all chains verify from their first entry, and the log
 * is consistent with every checkpoint seen during the run.
 */
export const auditSequence: ChaosRun = ({ n = fullSize }) => run('audit.sequence', n, [])

/** The same with an injected fault: entries leave the inbox in a separate transaction, before they are chained. */
export const auditSequenceWithInjectedFault: ChaosRun = ({ n = fullSize }) =>
  run('audit.sequence.injected', n, sourceFaults.dequeuedBeforeChaining)

async function run(name: string, entries: number, injectedFaults: InjectedFault[]): Promise<ChaosReport> {
  const folder = await mkdtemp(join(tmpdir(), 'vidimus-checkpoints-'))
  await using service = await startProcesses(1, { environment: { LOG_LEVEL: 'error', METRICS_PORT: 'off' } })
  const { ctx } = service
  await recordSequencingTimes(ctx)
  const tenants = Math.max(10, Math.ceil(entries / entriesPerTenant))
  const merchants = await createMerchants(service, tenants, entries)
  const environment = testEnvironment(service.database_url, { METRICS_PORT: 'off', LOG_LEVEL: 'error' })
  const kills = Math.max(minKills, Math.floor(entries / entriesPerKill))
  const stopCollecting = new AbortController()
  const collecting = collectCheckpoints(ctx, folder, stopCollecting.signal)
  let created: Map<string, string[]>
  {
    await using workerProcesses = await startWorkerProcesses({ workers, environment, injectedFaults })
    const between_ms = (entries / creationsPerSecond / (kills + 1)) * 1000
    const killing = (async () => {
      for (let count = 0; count < kills; count += 1) {
        await sleep(between_ms)
        await workerProcesses.replaceOne()
      }
    })()
    created = await create(merchants, entries)
    await killing
    const waiting = async () => (await ctx.db.query(sql`select 1 from audit_inbox limit 1`)).length > 0
    await waitUntil(async () => !(await waiting()), { within_ms: 120_000, every_ms: 100 })
  }
  stopCollecting.abort()
  await collecting
  const ledger = await buildReport(
    { ...ctx, config: { ...ctx.config, AUDIT_CHECKPOINT_DIR: folder } },
    created,
  )
  await rm(folder, { recursive: true })
  return { name, faults: kills, ...ledger, p99_allowed_ms: maxP99_ms }
}

/**
 * Records how long each entry took to reach its chain: from the time that the creation recorded, just before its commit, to
 * the statement that writes the entry.
 */
async function recordSequencingTimes({ db }: Context): Promise<void> {
  await runSqlText(
    db,
    `create table sequenced (took interval not null);
     create function note_sequenced() returns trigger language plpgsql as $f$ begin
       insert into sequenced select clock_timestamp() - at from fresh where action = 'verification.created';
       return null;
     end $f$;
     create trigger note_sequenced after insert on audit_entries referencing new table as fresh
       for each statement execute function note_sequenced()`,
  )
}

async function createMerchants(service: ServiceProcesses, count: number, quota: number): Promise<Merchant[]> {
  const merchants: Merchant[] = []
  while (merchants.length < count) {
    const some = Array.from({ length: Math.min(10, count - merchants.length) }, () =>
      service.tenant({ daily_quota: quota }),
    )
    merchants.push(...(await Promise.all(some)))
  }
  return merchants
}

/** Creates verifications at a steady rate, for each tenant in turn, and returns the acknowledged ids by tenant. */
async function create(merchants: readonly Merchant[], entries: number): Promise<Map<string, string[]>> {
  const created = new Map<string, string[]>(merchants.map(({ tenant_id }) => [tenant_id, []]))
  const inFlight = new Set<Promise<void>>()
  const began = performance.now()
  for (let sent = 0; sent < entries; sent += 1) {
    const early_ms = began + (sent / creationsPerSecond) * 1000 - performance.now()
    if (early_ms > 1) await sleep(early_ms)
    if (inFlight.size >= maxInFlight) await Promise.race(inFlight)
    const merchant = merchants[sent % merchants.length]
    if (merchant === undefined) break
    const one = createOne(merchant).then((id) => void created.get(merchant.tenant_id)?.push(id))
    inFlight.add(one)
    void one.finally(() => inFlight.delete(one))
  }
  await Promise.all(inFlight)
  const took_s = (performance.now() - began) / 1000
  process.stderr.write(`${entries} creations at ${Math.round(entries / took_s)}/s\n`)
  return created
}

async function createOne(merchant: Merchant): Promise<string> {
  const { status, body } = await merchant.post('/v1/verifications', {
    template: 'age_over_18',
    purpose: 'Age check at the till',
  })
  if (status !== 201) throw new Error(`creating a verification returned ${status}`)
  return body.id
}

/** Saves a checkpoint every second, as an outside witness would. */
async function collectCheckpoints(ctx: Context, folder: string, stopCollecting: AbortSignal): Promise<void> {
  const kept = new Set<string>()
  while (!stopCollecting.aborted) {
    const { checkpoint } = await openLog(ctx, ctx.db)
    if (checkpoint !== undefined && !kept.has(checkpoint)) {
      await writeFile(join(folder, `${kept.size}.checkpoint`), checkpoint)
      kept.add(checkpoint)
    }
    await sleep(1000)
  }
}

async function buildReport(ctx: Context, created: Map<string, string[]>) {
  let [acknowledged, missing, duplicated] = [0, 0, 0]
  for (const [tenant_id, ids] of created) {
    const entries = await ctx.db.query<{ subject: string }>(sql`
      select texts.subject from audit_entries entry
      join audit_texts texts on texts.day = entry.day and texts.tenant_id = entry.tenant_id and texts.seq = entry.seq
      where entry.tenant_id = ${tenant_id} and entry.action = 'verification.created' limit 1000000`)
    const subjects = new Set(entries.map(({ subject }) => subject))
    acknowledged += ids.length
    missing += ids.filter((id) => !subjects.has(id)).length
    duplicated += entries.length - subjects.size
  }
  const report = await verifyEverything(ctx)
  const [time] = await ctx.db.query<{ p99_ms: number }>(sql`
    select (extract(epoch from percentile_disc(0.99) within group (order by took)) * 1000)::float8 as p99_ms from sequenced`)
  for (const fault of report.faults.slice(0, 10)) process.stderr.write(`${fault}\n`)
  process.stderr.write(`${report.entries} entries in ${report.tenants} chains, ${report.leaves} leaves\n`)
  return {
    acknowledged,
    lost: missing + report.faults.length,
    duplicated,
    p99_ms: Math.round(time?.p99_ms ?? Number.POSITIVE_INFINITY),
  }
}
