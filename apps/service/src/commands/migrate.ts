import { readConfig } from '../config.ts'
import { migrate } from '../platform/db/schema/migrate.ts'
import { command, printResult, printMessage } from './command.ts'
import { jsonOption } from './options.ts'

export const migrateCommand = command({
  options: { json: jsonOption },
  async run({ values }) {
    const { secrets } = readConfig()
    const applied = await migrate({
      url: secrets.DATABASE_URL,
      onRetry: (file) => printMessage(`${file}: a table is locked; trying again`),
    })
    printResult(
      values,
      { applied },
      applied.length === 0 ? ['The database is up to date.'] : applied.map((file) => `applied ${file}`),
    )
  },
})
