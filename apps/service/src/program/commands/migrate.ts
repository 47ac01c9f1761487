import { readConfig } from '../../engine/config/index.ts'
import { migrate } from '../../engine/db/index.ts'
import { command, printResult, printMessage } from './command.ts'
import { jsonOption } from './options.ts'
import { startProgress } from './progress.ts'

export const migrateCommand = command({
  options: { json: jsonOption },
  async run({ values }) {
    const { secrets } = readConfig()
    const progress = startProgress()
    const applied = await migrate({
      url: secrets.DATABASE_URL,
      onProgress: (done, of) => progress.update('migrations', done, of),
      onRetry: (file) => printMessage(`${file}: a table is locked; trying again`),
    }).finally(progress.end)
    printResult(
      values,
      { applied },
      applied.length === 0 ? ['The database is up to date.'] : describe(applied),
    )
  },
})

/** A line for each migration, and one for all functions, views and triggers. */
function describe(applied: readonly string[]): string[] {
  const migrations = applied.filter((name) => !name.includes('/'))
  const others = applied.length - migrations.length
  return [
    ...migrations.map((file) => `applied ${file}`),
    ...(others === 0 ? [] : [`applied ${others} ${others === 1 ? 'definition' : 'definitions'}`]),
  ]
}
