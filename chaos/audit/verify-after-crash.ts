import { advanceAudit } from '../../apps/service/src/audit/advance.ts'
import { sequenceAudit } from '../../apps/service/src/audit/chain/sequence.ts'
import { verifyEverything } from '../../apps/service/src/audit/verify/verify.ts'
import { readConfig } from '../../apps/service/src/engine/config/config.ts'
import { openContext, type ServiceContext } from '../../apps/service/src/program/context.ts'
import { migrate } from '../../apps/service/src/engine/db/schema/migrate.ts'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { openLog } from '../../apps/service/src/engine/observability/log.ts'
import { exportLines, insertEntries, newTenants } from '../../apps/service/test/audit/audit.ts'
import { startPostgresServer } from '../../apps/service/test/processes/postgres-server.ts'
import { testEnvironment } from '../../apps/service/test/service.ts'
import type { ChaosReport, ChaosRun } from '../chaos-run.ts'

const fullSize = 1_000_000
const tenants = 20
const entriesPerInsert = 10_000

/**
 * Fills the audit log while autovacuum is off, so that the planner's statistics are those of empty tables, kills PostgreSQL, and verifies
 * everything as soon as it has recovered. `lost` counts entries that are not verified, and faults that should not be there.
 */
export const verifyAfterCrash: ChaosRun = ({ n = fullSize }) => run('audit.after_crash', n, async () => {})

/** The same with one entry altered during the outage. The run must detect it. */
export const verifyAfterCrashWithInjectedFault: ChaosRun = ({ n = fullSize }) =>
  run('audit.after_crash.injected', n, ({ db }) =>
    db.execute(sql`
      update audit_entries set action = 'verification.erased'
      where ctid = (select ctid from audit_entries where action = 'verification.created' limit 1)`),
  )

async function run(
  name: string,
  entries: number,
  alter: (ctx: ServiceContext) => Promise<unknown>,
): Promise<ChaosReport> {
  await using postgres = await startPostgresServer({ autovacuum: 'off' })
  await migrate({ url: postgres.url })
  await fill(postgres.url, entries)
  await postgres.crash()

  await using ctx = await openService(postgres.url)
  await alter(ctx)
  const began = performance.now()
  const report = await verifyEverything(ctx)
  const verified_s = (performance.now() - began) / 1000
  const [largest] = await ctx.db.query<{ tenant_id: string }>(sql`select tenant_id from audit_chains limit 1`)
  const exportBegan = performance.now()
  const lines = await exportLines(ctx, largest?.tenant_id ?? '')
  const exported_s = (performance.now() - exportBegan) / 1000
  process.stderr.write(
    `${name}: ${report.entries} entries of ${report.tenants} tenants verified in ${verified_s.toFixed(1)} s, ` +
      `${lines.length - 1} exported in ${exported_s.toFixed(1)} s${report.valid ? '' : `: ${report.faults.join(' ')}`}\n`,
  )
  const lost = Math.abs(entries - report.entries) + report.faults.length
  return { name, faults: 1, acknowledged: entries, lost, duplicated: 0 }
}

async function fill(url: string, entries: number): Promise<void> {
  await using ctx = await openService(url)
  const chains = newTenants(tenants)
  for (let left = entries; left > 0; left -= entriesPerInsert) {
    await insertEntries(ctx.db, chains, Math.min(left, entriesPerInsert))
    while ((await sequenceAudit(ctx)) > 0) continue
    await advanceAudit(ctx)
  }
}

async function openService(url: string): Promise<ServiceContext & AsyncDisposable> {
  return openContext({ ...readConfig(testEnvironment(url)), log: openLog({ LOG_LEVEL: 'silent' }) })
}
