import { once } from 'node:events'
import {
  AuditTamperedError,
  type LogVerification,
  type TenantVerification,
  exportChain,
  getAuditKey,
  installationChain,
  proveContinuation,
  proveEntry,
  rotateAuditKey,
  verifyEverything,
  verifyTenant,
} from '../../../audit/index.ts'
import { asOperator, operatorOptions } from '../as-operator.ts'
import { command, CommandError, printResult, printMessage, UsageError } from '../command.ts'
import { jsonOption, parseUuid } from '../options.ts'
import { startProgress } from '../progress.ts'
import { readText } from './check.ts'
import { withContext } from '../with-context.ts'
import { makePartitionsAhead } from '../../../engine/db/index.ts'
import type { ServiceContext } from '../../context.ts'

/** Names the chain of what operators did to the whole installation. */
const installation = 'installation'

export const auditVerifyCommand = command({
  options: {
    tenant: { type: 'string', description: `the tenant's id, or ${installation} (default: all of them)` },
    json: jsonOption,
  },
  async run({ values }) {
    const tenant = values.tenant === undefined ? undefined : parseChain(values.tenant)
    const progress = startProgress()
    const report = await withAudit<TenantVerification | LogVerification>((ctx) =>
      tenant === undefined
        ? verifyEverything(ctx, progress.update)
        : verifyTenant(ctx, tenant, progress.update),
    ).finally(progress.end)
    const { valid, entries, faults, abandoned } = report
    for (const fault of faults) printMessage(fault)
    for (const file of abandoned)
      printMessage(`${file} is of a log that ended with a restore. Entries \`audit.restored\` name it.`)
    const head = 'head' in report && report.head !== undefined ? [`head ${report.head}`] : []
    printResult(values, report, [`${entries} entries, ${valid ? 'valid' : 'NOT VALID'}`, ...head])
    return valid ? 0 : 1
  },
})

export const auditExportCommand = command({
  options: {
    tenant: { type: 'string', required: true, description: `the tenant's id, or ${installation}` },
    checkpoint: {
      type: 'string',
      description: 'file with an earlier checkpoint; the export then proves that it continues it',
    },
  },
  async run({ values }) {
    const tenant_id = parseChain(values.tenant)
    const since = values.checkpoint === undefined ? undefined : await readText(values.checkpoint)
    const progress = startProgress()
    const onProgress = (done: number, of: number) => progress.update('entries', done, of)
    await withAudit((ctx) => exportChain(ctx, { tenant_id, since, write: writeLine, onProgress })).finally(
      progress.end,
    )
  },
})

export const auditProveCommand = command({
  options: {
    tenant: { type: 'string', description: `the tenant's id, or ${installation}, with --entry` },
    entry: { type: 'string', description: "the entry's number in its chain" },
    checkpoint: {
      type: 'string',
      description: 'file with an earlier checkpoint, instead of --tenant and --entry',
    },
  },
  async run({ values: { tenant, entry, checkpoint: file } }) {
    if (file !== undefined && tenant === undefined && entry === undefined) {
      const first = await readText(file)
      return writeLine(await withAudit((ctx) => proveContinuation(ctx, first)))
    }
    if (tenant === undefined || entry === undefined || file !== undefined)
      throw new UsageError('Give --tenant and --entry, or only --checkpoint')
    if (!/^[1-9]\d{0,14}$/.test(entry)) throw new UsageError('--entry must be a whole number of at least 1')
    const entryPosition = { tenant_id: parseChain(tenant), seq: Number(entry) }
    return writeLine(await withAudit((ctx) => proveEntry(ctx, entryPosition)))
  },
})

export const auditPublicKeyCommand = command({
  options: { json: jsonOption },
  async run({ values }) {
    const key = await withAudit(getAuditKey)
    printResult(values, key, [key.public_key.trimEnd()])
  },
})

export const auditRotateKeyCommand = command({
  options: { ...operatorOptions, json: jsonOption },
  async run({ values }) {
    const record = asOperator('installation.audit_key_rotated', values)
    const { rotated, key } = await withAudit(
      async (ctx) => ({ rotated: await rotateAuditKey(ctx, record), key: await getAuditKey(ctx) }),
      'checked',
    )
    printResult(values, { ...rotated, ...key }, [
      `Key ${rotated.number + 1} of this log signs from size ${rotated.size} on. Recipients with an earlier key can check its exports.`,
      'Back up the database now: a backup from before has only the old key.',
      key.public_key.trimEnd(),
    ])
  },
})

function parseChain(given: string): string {
  return given === installation ? installationChain : parseUuid('tenant', given)
}

/** Creates today's partitions, since this may be the first process to write today, and reports a tampered log without a stack trace. */
async function withAudit<Result>(
  use: (ctx: ServiceContext) => Promise<Result>,
  database: 'checked' | 'unchecked' = 'unchecked',
): Promise<Result> {
  return withContext(async (ctx) => {
    await makePartitionsAhead(ctx.db)
    try {
      return await use(ctx)
    } catch (error) {
      if (error instanceof AuditTamperedError)
        throw new CommandError(`The audit log is broken: ${error.message}.`)
      throw error
    }
  }, database)
}

async function writeLine(line: string): Promise<void> {
  if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain')
}
