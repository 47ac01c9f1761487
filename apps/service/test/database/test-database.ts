import { randomBytes } from 'node:crypto'
import { connectAsAdmin, databaseUrl } from './postgres.ts'
import { templateDatabase } from './template-database.ts'

export type TestDatabase = { url: string; name: string } & AsyncDisposable

/** Names the run of tests that a process belongs to, if it does. */
export const runIdVariable = 'VIDIMUS_TEST_RUN'

/**
 * A database of the test's own: migrated, or empty for the tests of migrating itself, or a copy of another that nobody is
 * connected to. It is dropped with the test; within a run of many, with the run. A file system that has just deleted a
 * thousand files makes the next thousand ten times slower (ext4 passes over each that was deleted in the last minutes).
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

/** Drops what the tests of a run have left, some at a time: each waits for a checkpoint, and they can share one. */
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
  await Promise.all(Array.from({ length: 8 }, drop))
}
