import { randomBytes } from 'node:crypto'
import { connectAsAdmin, databaseUrl } from './postgres.ts'
import { templateDatabase } from './template-database.ts'

export type TestDatabase = { url: string; name: string } & AsyncDisposable

/** Creates a database for one test: migrated, empty (for tests of migrations), or a copy of a database without connections. */
export async function createTestDatabase({
  empty = false,
  copyOf,
}: { empty?: boolean; copyOf?: string } = {}): Promise<TestDatabase> {
  const name = `vidimus_test_${randomBytes(6).toString('hex')}`
  await using admin = await connectAsAdmin()
  const source = copyOf ?? (empty ? 'template0' : await templateDatabase())
  await admin.query(`create database ${name} template ${source}`)
  return {
    name,
    url: databaseUrl(name),
    async [Symbol.asyncDispose]() {
      await using again = await connectAsAdmin()
      await again.query(`drop database ${name} with (force)`)
    },
  }
}
