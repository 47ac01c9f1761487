import { openLog } from '../../apps/service/src/audit/log/open-log.ts'
import {
  checkLines,
  eraseTexts,
  exportLines,
  insertEntries,
  newTenants,
  openAuditFixture,
} from '../../apps/service/test/audit/audit.ts'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { buildLog, randomTampering, isDetected } from '../../apps/service/test/audit/tamper-audit.ts'
import { randomAlteration, type ExportVersions } from '../../apps/service/test/audit/tamper-export.ts'
import type { ChaosRun, ChaosReport } from '../chaos-run.ts'

const fullSize = 5000
/** Long enough for the log to have inner nodes. */
const leaves = 260
const olderExports = 4

/** Random alterations of stored rows. `lost` counts those that verification did not detect. */
export const auditTamperRows: ChaosRun = async ({ n = fullSize }) => {
  await using audit = await openAuditFixture()
  await buildLog(audit.ctx, leaves)
  const undetected: string[] = []
  for (let done = 0; done < n;) {
    const tampering = randomTampering()
    const detected = await isDetected(audit.ctx, tampering)
    if (detected !== undefined) done += 1
    if (detected === false) undetected.push(tampering.what)
  }
  return buildReport('audit.tamper.rows', n, undetected)
}

/** Random alterations of an export by someone who knows the format. The checker has the public key and an earlier checkpoint. */
export const auditTamperExport: ChaosRun = ({ n = fullSize }) =>
  alterExport('audit.tamper.export', n, { hasCheckpoint: true })

/** The same for a checker without a checkpoint: an earlier export, itself genuine, then passes as the newest. */
export const auditTamperExportWithInjectedFault: ChaosRun = ({ n = fullSize }) =>
  alterExport('audit.tamper.export.injected', n, { hasCheckpoint: false })

async function alterExport(
  name: string,
  n: number,
  { hasCheckpoint }: { hasCheckpoint: boolean },
): Promise<ChaosReport> {
  await using audit = await openAuditFixture()
  const { ctx } = audit
  const { checkpoint, ...exported } = await makeExports(audit.ctx)
  const trusted = hasCheckpoint ? checkpoint : undefined
  const { valid, faults } = await checkLines(ctx, exported.lines, trusted)
  if (!valid) throw new Error(`the unaltered export is not valid: ${faults.join('; ')}`)
  const undetected: string[] = []
  for (let done = 0; done < n; done += 1) {
    const altered = randomAlteration(exported)
    if ((await checkLines(ctx, altered.lines, trusted)).valid) undetected.push(altered.what)
  }
  return buildReport(name, n, undetected)
}

/** Exports of a growing chain with erasures, and the checkpoint saved just before the last export. */
async function makeExports(
  ctx: Awaited<ReturnType<typeof openAuditFixture>>['ctx'],
): Promise<ExportVersions & { checkpoint: string }> {
  const [tenant = '', other = ''] = newTenants(2)
  const older: string[][] = []
  for (let round = 0; round <= olderExports; round += 1) {
    await insertEntries(ctx.db, [tenant, other], 24)
    older.push(await exportLines(ctx, tenant))
    const [row] = await ctx.db.query<{ subject: string }>(
      sql`select subject from audit_texts where tenant_id = ${tenant} order by random() limit 1`,
    )
    await eraseTexts(ctx.db, tenant, row?.subject ?? '')
    older.push(await exportLines(ctx, tenant))
  }
  await insertEntries(ctx.db, [other], 1)
  await exportLines(ctx, other)
  const checkpoint = (await openLog(ctx, ctx.db)).checkpoint ?? ''
  await insertEntries(ctx.db, [tenant, other], 4)
  return { lines: await exportLines(ctx, tenant, checkpoint), older, checkpoint }
}

function buildReport(name: string, n: number, undetected: readonly string[]): ChaosReport {
  for (const [what, times] of Map.groupBy(undetected, (each) => each))
    process.stderr.write(`not detected, ${times.length} times: ${what}\n`)
  return { name, faults: n, acknowledged: n, lost: undetected.length, duplicated: 0 }
}
