import { readConfig } from '../config.ts'
import { migrate } from '../platform/db/schema/migrate.ts'
import { command, printResult, printMessage } from './command.ts'

export const migrateCommand = command({
  summary: 'Brings the database up to date. Safe to run twice, and from several nodes at once.',
  options: { json: { type: 'boolean', means: 'print one JSON object' } },
  async run({ values }) {
    const { secrets } = readConfig()
    const applied = await migrate({
      url: secrets.DATABASE_URL,
      onRetry: (file) => printMessage(`${file} waits for a table that is in use; trying again`),
    })
    printResult(
      values,
      { applied },
      applied.length === 0 ? ['Nothing to do.'] : applied.map((file) => `applied ${file}`),
    )
  },
})
