import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { migrate } from '../src/platform/db/migrate.ts'
import { administer, databaseUrl } from './postgres.ts'

const folder = new URL('../migrations/', import.meta.url)
let made: Promise<string> | undefined

/** A migrated database, named after the migrations, that every test clones. Made when it is first wanted on this server. */
export function templateDatabase(): Promise<string> {
  return (made ??= findOrMake())
}

async function findOrMake(): Promise<string> {
  const hash = createHash('sha256')
  for (const file of readdirSync(folder).toSorted())
    hash.update(file).update(readFileSync(new URL(file, folder)))
  const name = `vidimus_template_${hash.digest('hex').slice(0, 12)}`
  await using admin = await administer()
  // Two runs may begin at once on one server: one makes the template, the other waits for it.
  await admin.query('select pg_advisory_lock(7240114027)')
  const { rowCount } = await admin.query('select 1 from pg_database where datname = $1 and datistemplate', [
    name,
  ])
  if (rowCount === 0) {
    await admin.query(`drop database if exists ${name}`)
    await admin.query(`create database ${name}`)
    await migrate({ url: databaseUrl(name) })
    await admin.query(`alter database ${name} is_template true`)
  }
  await admin.query('select pg_advisory_unlock(7240114027)')
  return name
}
