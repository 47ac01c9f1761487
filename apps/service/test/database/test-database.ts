import { randomBytes } from 'node:crypto'
import { connectAsAdmin, databaseUrl } from './postgres.ts'
import { templateDatabase } from './template-database.ts'

export type TestDatabase = { url: string; name: string } & AsyncDisposable

/** The environment variable with the id of the test run, if the process belongs to one. */
export const runIdVariable = 'VIDIMUS_TEST_RUN'

/**
 * Creates a database for one test: migrated, empty (for tests of migrations), or a copy of a database without connections. It
 * is dropped after the test, or in a run of many tests after the run: on a file system that has just deleted a thousand files,
 * creating the next thousand is ten times slower (ext4 skips recently deleted inodes).
 */
export async function createTestDatabase({
  empty = false,
  copyOf,
}: { empty?: boolean; copyOf?: string } = {}): Promise<TestDatabase> {
  const run = process.env[runIdVariable]
  const name = `${namePrefix(run ?? 'alone')}${randomBytes(6).toString('hex')}`
  await using admin = await connectAsAdmin()
  const source = copyOf ?? (empty ? 'template0' : await templateDatabase())
  await admin.query(`create database ${name} template ${source}`)
  // Tests end processes of the service, never the server, so their commits need not wait for its disk. Benchmarks and chaos
  // runs are not part of a test run, and do wait.
  if (run !== undefined) await admin.query(`alter database ${name} set synchronous_commit = off`)
  return {
    name,
    url: databaseUrl(name),
    async [Symbol.asyncDispose]() {
      await using again = await connectAsAdmin()
      await (run === undefined
        ? again.query(`drop database ${name} with (force)`)
        : again.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]))
    },
  }
}

const namePrefix = (run: string) => `vidimus_test_${run}_`

/** Each drop waits for a checkpoint, and concurrent drops share one. PostgreSQL allows 100 connections by default. */
const concurrentDrops = 32

/** Drops the databases of a run, many at a time. */
export async function dropDatabases(run: string): Promise<void> {
  await using admin = await connectAsAdmin()
  const { rows } = await admin.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [namePrefix(run)],
  )
  const drop = async () => {
    await using own = await connectAsAdmin()
    for (let row = rows.pop(); row !== undefined; row = rows.pop())
      await own.query(`drop database if exists ${row.datname} with (force)`)
  }
  await Promise.all(Array.from({ length: Math.min(rows.length, concurrentDrops) }, drop))
}
