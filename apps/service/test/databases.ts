import { randomBytes } from 'node:crypto'
import { administer, databaseUrl } from './postgres.ts'
import { templateDatabase } from './template-database.ts'

export type OwnDatabase = { url: string; name: string } & AsyncDisposable

/**
 * A database of the test's own, dropped with it: migrated, or empty for the tests of migrating itself, or a copy of another
 * that nobody is connected to.
 */
export async function ownDatabase({
  empty = false,
  copyOf,
}: { empty?: boolean; copyOf?: string } = {}): Promise<OwnDatabase> {
  const name = `vidimus_test_${randomBytes(6).toString('hex')}`
  await using admin = await administer()
  const model = copyOf ?? (empty ? 'template0' : await templateDatabase())
  await admin.query(`create database ${name} template ${model}`)
  return {
    name,
    url: databaseUrl(name),
    async [Symbol.asyncDispose]() {
      await using again = await administer()
      await again.query(`drop database ${name} with (force)`)
    },
  }
}
