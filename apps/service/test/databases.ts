import { randomBytes } from 'node:crypto'
import { administer, databaseUrl } from './postgres.ts'
import { templateDatabase } from './template-database.ts'

/** A database of the test's own, dropped with it: migrated, or empty for the tests of migrating itself. */
export async function ownDatabase({ empty = false } = {}): Promise<
  { url: string; name: string } & AsyncDisposable
> {
  const name = `vidimus_test_${randomBytes(6).toString('hex')}`
  await using admin = await administer()
  await admin.query(`create database ${name} template ${empty ? 'template0' : await templateDatabase()}`)
  return {
    name,
    url: databaseUrl(name),
    async [Symbol.asyncDispose]() {
      await using again = await administer()
      await again.query(`drop database ${name} with (force)`)
    },
  }
}
