import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../src/engine/config/config.ts'
import { openContext, type ServiceContext } from '../src/program/context.ts'
import { openLog } from '../src/engine/observability/log.ts'
import { createTestDatabase, type TestDatabase } from './database/test-database.ts'
import { startService, testEnvironment, type Service, type ServiceOptions } from './service.ts'

export type RestorableService = {
  /** Starts the service on the database, runs `use`, and stops it. */
  run<Result>(
    use: (service: Service) => Promise<Result>,
    options?: { environment: Record<string, string> },
  ): Promise<Result>
  /** Keeps the database as it is now, as a backup does. */
  backUp(): Promise<void>
  /** From now on the database is the one that was backed up. The ledger stays as it is. */
  restore(): void
  /** Runs a command's use case on the database, which need not have what the ledger has. */
  command<Result>(use: (ctx: ServiceContext) => Promise<Result>): Promise<Result>
  environment: Record<string, string>
} & AsyncDisposable

/** A service with an erasure ledger and saved checkpoints whose database can be restored. */
export async function openRestorableService(
  options: Omit<ServiceOptions, 'database'> = {},
): Promise<RestorableService> {
  const folder = await mkdtemp(join(tmpdir(), 'restore-'))
  const environment = {
    ERASURE_LEDGER: await mkdtemp(join(folder, 'ledger-')),
    AUDIT_CHECKPOINT_DIR: join(folder, 'checkpoints'),
    ...options.environment,
  }
  const databases: TestDatabase[] = [await createTestDatabase()]
  let current = databases[0]
  let backup: TestDatabase | undefined
  const name = () => current?.name ?? ''
  return {
    environment,
    async command(use) {
      await using ctx = await openContext({
        ...readConfig(testEnvironment(current?.url ?? '', environment)),
        log: openLog({ LOG_LEVEL: 'silent' }),
        database: 'unchecked',
      })
      return await use(ctx)
    },
    async run(use, { environment: more } = { environment: {} }) {
      const database = { url: current?.url ?? '', [Symbol.asyncDispose]: async () => {} }
      await using service = await startService({
        ...options,
        environment: { ...environment, ...more },
        database,
      })
      return await use(service)
    },
    async backUp() {
      backup = await createTestDatabase({ copyOf: name() })
      databases.push(backup)
    },
    restore() {
      current = backup
    },
    async [Symbol.asyncDispose]() {
      for (const database of databases) await database[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    },
  }
}
