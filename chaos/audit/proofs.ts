import { consistencySpans, writeExportLine, writePublicKey } from '@vidimus/evidence'
import { openLog } from '../../apps/service/src/audit/log/open-log.ts'
import { proveEntry } from '../../apps/service/src/audit/verify/prove.ts'
import { hashPath } from '../../apps/service/src/audit/verify/seal.ts'
import type { Context } from '../../apps/service/src/engine/context.ts'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { checkLines, exportLines, openAuditFixture } from '../../apps/service/test/audit/audit.ts'
import { checkWithPython } from '../../apps/service/test/audit/check-with-python.ts'
import { buildLog } from '../../apps/service/test/audit/tamper-audit.ts'
import { alterLine, randomAlteration } from '../../apps/service/test/audit/tamper-export.ts'
import type { ChaosRun } from '../chaos-run.ts'

const fullSize = 1000
const entriesPerPair = 5
const leaves = 260
/** Number of checkpoints that the pairs are drawn from. The Python script checks each signature once, and slowly. */
const checkpoints = 24

/**
 * Checks inclusion proofs of random entries, consistency proofs of random pairs of checkpoints and an export, each genuine
 * and altered, with two implementations: ours and a Python script that shares no code with it. `lost` counts the wrong
 * verdicts of either: a genuine item rejected or an altered one accepted.
 */
export const auditProofs: ChaosRun = async ({ n = fullSize }) => {
  await using audit = await openAuditFixture()
  const { ctx } = audit
  // With one key, so that any checkpoint can be the later one of a pair. Proofs over several keys are checked with the rotation.
  const notes = await buildLog(ctx, leaves, { rotates: false })
  const [tenant] = await ctx.db.query<{ tenant_id: string }>(sql`select tenant_id from audit_chains limit 1`)
  const whole = await exportLines(ctx, tenant?.tenant_id ?? '', notes[leaves / 2])
  const genuine = [
    ...(await proveEntries(ctx, n)),
    ...(await proveConsistency(ctx, notes, Math.ceil(n / entriesPerPair))),
  ].map((line) => [line])
  const altered = genuine.map(([line = '']) => [alter(line)])
  const exports = Array.from({ length: Math.ceil(n / entriesPerPair) }, () =>
    randomAlteration({ lines: whole, older: [[]] }),
  )
  const files = [...genuine, whole, ...altered, ...exports.map(({ lines }) => lines)]
  const pem = writePublicKey((await openLog(ctx, ctx.db)).key.publicKey)
  const pythonVerdicts = await checkWithPython(files, pem)
  let lost = 0
  for (const [index, lines] of files.entries()) {
    const ourVerdict = (await checkLines(ctx, lines)).valid
    const isGenuine = index <= genuine.length
    // Some alterations leave an export valid, such as removing the line about an earlier checkpoint. Both must agree on them.
    const expectedValid = index < genuine.length + 1 + altered.length ? isGenuine : ourVerdict
    if (ourVerdict !== expectedValid || pythonVerdicts[index] !== expectedValid) {
      lost += 1
      process.stderr.write(
        `${isGenuine ? 'genuine' : 'altered'}, ours ${ourVerdict}, theirs ${pythonVerdicts[index]}: ${lines[0]}\n`,
      )
    }
  }
  return {
    name: 'audit.proofs',
    faults: altered.length + exports.length,
    acknowledged: files.length,
    lost,
    duplicated: 0,
  }
}

async function proveEntries(ctx: Context, n: number): Promise<string[]> {
  const entries = await ctx.db.query<{ tenant_id: string; seq: number }>(sql`
    select tenant_id, seq from audit_entries, generate_series(1, 10) order by random() limit ${n}`)
  const proofs: string[] = []
  for (const entry of entries) proofs.push(await proveEntry(ctx, entry))
  return proofs
}

/** Consistency proofs for random pairs of checkpoints, the earlier one first. */
async function proveConsistency(ctx: Context, notes: readonly string[], pairs: number): Promise<string[]> {
  const sizes = Array.from({ length: checkpoints }, () => 1 + Math.floor(Math.random() * notes.length))
  const proofs: string[] = []
  while (proofs.length < pairs) {
    const [one = 1, two = 1] = [0, 1].map(() => sizes[Math.floor(Math.random() * checkpoints)])
    const [first, second] = [Math.min(one, two), Math.max(one, two)]
    const path = await hashPath(ctx.db, consistencySpans(first, second))
    const continuation = { first: notes[first - 1] ?? '', second: notes[second - 1] ?? '', path }
    proofs.push(writeExportLine({ continuation }))
  }
  return proofs
}

/** Omitting the texts of a proof is allowed, so such an alteration is drawn again. */
function alter(line: string): string {
  for (;;) {
    const altered = alterLine(line)
    const omitsTexts = line.includes('"texts"') && !altered.includes('"texts"')
    if (altered !== line && !omitsTexts) return altered
  }
}
