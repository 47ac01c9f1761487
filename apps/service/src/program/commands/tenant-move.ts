import { givenVariables, readConfig } from '../../engine/config/index.ts'
import { openContext, type ServiceContext } from '../context.ts'
import type { RecordOperation } from '../../audit/index.ts'
import { loadTenantMoves } from '../../operations/index.ts'
import { asOperator, operatorOptions } from './as-operator.ts'
import { command, printMessage, printResult, UsageError } from './command.ts'
import { jsonLinesOption, jsonOption, parseName, parseUuid, readFileOption, tenantOption } from './options.ts'
import { startProgress } from './progress.ts'
import { withContext } from './with-context.ts'

export const tenantMoveCommand = command({
  options: {
    tenant: tenantOption,
    to: { type: 'string', required: true, description: 'the character of the other cell (its CELL)' },
    'to-database-url-file': {
      type: 'string',
      required: true,
      description: "file with the other cell's DATABASE_URL",
    },
    'to-master-key-file': {
      type: 'string',
      required: true,
      description: "file with the other cell's MASTER_KEY, or its MASTER_KEY_URI",
    },
    abort: { type: 'boolean', description: 'end a move that has not been copied yet' },
    finish: {
      type: 'boolean',
      description: 'delete the tenant here, once the router sends its requests to the other cell',
    },
    name: { type: 'string', description: "with --finish: the tenant's name, to confirm" },
    ...operatorOptions,
    json: jsonOption,
  },
  async run({ values }) {
    const tenant_id = parseUuid('tenant', values.tenant)
    const { to } = values
    if (!/^[0-9A-Za-z]$/.test(to)) throw new UsageError('--to must be one letter or digit')
    if (values.abort && values.finish) throw new UsageError('--abort and --finish exclude each other')
    const masterKey = readFileOption(values['to-master-key-file']).trim()
    const { config, secrets } = readConfig({
      ...withoutMasterKeys(givenVariables()),
      CELL: to,
      DATABASE_URL: readFileOption(values['to-database-url-file']).trim(),
      [masterKey.startsWith('pkcs11:') ? 'MASTER_KEY_URI' : 'MASTER_KEY']: masterKey,
    })
    const record = asOperator('installation.tenant_moved', values)
    const { abortMove, finishMove } = await loadTenantMoves()
    await withContext(async (source) => {
      await using target = await openContext({
        // Checkpoints and ledger of the other cell are written by its own processes.
        config: { ...config, RATE_LIMITS: 'off', AUDIT_CHECKPOINT_DIR: undefined, ERASURE_LEDGER: undefined },
        secrets: { ...secrets, REDIS_URL: undefined },
      })
      if (values.abort) {
        await abortMove({ source, target }, tenant_id, record)
        printResult(values, { tenant_id, aborted: true }, [
          'The move was aborted. The tenant is served here again.',
        ])
      } else if (values.finish) {
        const deleted = await finishMove(
          { source, target },
          { tenant_id, name: parseName(values.name ?? ''), record },
        )
        printResult(values, { tenant_id, deleted }, [
          `Deleted here: ${deleted.verifications} verifications, ${deleted.other_rows} other rows, the texts of ${deleted.audit_texts} audit entries.`,
        ])
      } else await runMove({ source, target }, { tenant_id, values, record })
    })
  },
})

type RunMove = { tenant_id: string; values: { json: boolean }; record: RecordOperation }

/** This cell's master key does not open the ring of the other. */
function withoutMasterKeys(given: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !name.startsWith('MASTER_KEY')))
}

async function runMove(
  { source, target }: { source: ServiceContext; target: ServiceContext },
  { tenant_id, values, record }: RunMove,
): Promise<void> {
  const { moveTenant } = await loadTenantMoves()
  const progress = startProgress()
  const moved = await moveTenant(
    { source, target },
    {
      tenant_id,
      record,
      onStep: (step) => !values.json && printMessage(step),
      onProgress: (done, of) => progress.update('tables copied', done, of),
    },
  ).finally(progress.end)
  const { CELL } = target.config
  printResult(values, { tenant_id, to: CELL, ...moved }, [
    `The tenant is in cell ${CELL}: ${moved.rows} rows, read-only for ${moved.read_only_ms} ms.`,
    `Now write the router's map with \`vidimus admin tenant routes\` (${moved.routes} entries of this tenant) and load it. Then run this command with --finish.`,
  ])
}

export const tenantRoutesCommand = command({
  options: { json: jsonLinesOption },
  async run({ values }) {
    const { listMovedRoutes } = await loadTenantMoves()
    await withContext(async (ctx) => {
      for await (const moved of listMovedRoutes(ctx))
        printResult(values, moved, [`${moved.route} ${moved.cell}`])
    })
  },
})
