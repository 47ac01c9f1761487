import { type RestoreReport, loadRestore } from '../../operations/index.ts'
import { asOperator, operatorOptions } from './as-operator.ts'
import { command, printResult } from './command.ts'
import { jsonOption } from './options.ts'
import { startProgress } from './progress.ts'
import { withContext } from './with-context.ts'

export const restoreApplyCommand = command({
  options: {
    'dry-run': { type: 'boolean', description: 'only print what would be done' },
    restored: {
      type: 'boolean',
      description: 'the database was restored, although neither ledger nor checkpoints show it',
    },
    ...operatorOptions,
    json: jsonOption,
  },
  async run({ values }) {
    if (values['dry-run']) return printStatus(values)
    const record = asOperator('installation.restored', values)
    const { applyRestore } = await loadRestore()
    const progress = startProgress()
    const report = await withContext(
      (ctx) =>
        applyRestore(ctx, {
          restored: values.restored,
          record,
          onProgress: (entries) => progress.update('entries applied', entries),
        }),
      'unchecked',
    ).finally(progress.end)
    printResult(values, report, [
      ...describeReport(report),
      'Nothing is pending: serve and work go on by themselves.',
    ])
    return 0
  },
})

export const restoreStatusCommand = command({
  options: { json: jsonOption },
  run: ({ values }) => printStatus(values),
})

/** Exit status 1 if something is pending, so that a script can ask. */
async function printStatus(values: { json: boolean }): Promise<number> {
  const { readRestoreStatus } = await loadRestore()
  const status = await withContext(readRestoreStatus, 'unchecked')
  const pending = status.entries > 0 || status.abandoned !== undefined
  printResult(values, status, [
    ...describeReport(status),
    ...(status.more ? ['There are more entries than these.'] : []),
    ...(status.in_doubt > 0
      ? [`${status.in_doubt} entries are in doubt: the service applies them itself.`]
      : []),
    pending ? 'Run `vidimus admin restore apply`.' : 'Nothing is pending.',
  ])
  return pending ? 1 : 0
}

function describeReport({ entries, applied, ended, notes, abandoned }: RestoreReport): string[] {
  return [
    `entries of the ledger that the database lacks   ${entries}`,
    ...Object.entries(applied).map(([kind, count]) => `  ${kind.padEnd(46)}${count}`),
    ...(ended === undefined ? [] : [`verifications that were open, ended             ${ended}`]),
    ...(notes === undefined
      ? []
      : [
          `webhook events marked unknown, not sent again   ${notes.webhooks_unknown}`,
          `devices whose generation was raised             ${notes.raised}`,
          `devices that may present a later token once     ${notes.accepting_later}`,
        ]),
    ...(abandoned === undefined
      ? []
      : [
          `audit log                                       continues at size ${abandoned.continued_size}; the checkpoint of size ${abandoned.abandoned_size} is abandoned`,
        ]),
  ]
}
