import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { Client } from 'pg'
import { definitions } from '../../src/engine/db/schema/definitions.ts'
import { migrate } from '../../src/engine/db/schema/migrate.ts'
import { connectAsAdmin, databaseUrl } from './postgres.ts'

const folder = new URL('../../schema/migrations/', import.meta.url)
/** By the address of its server. */
const templates = new Map<string, Promise<string>>()

/**
 * A migrated database that every test clones, created when first needed on this server. Its name contains a hash of the
 * migrations and the day, because tests rely on the partitions of the current day.
 */
export function templateDatabase(): Promise<string> {
  const server = databaseUrl('')
  const made = templates.get(server) ?? findOrMake()
  templates.set(server, made)
  return made
}

async function findOrMake(): Promise<string> {
  const hash = createHash('sha256')
  for (const { name, text } of definitions()) hash.update(name).update(text)
  for (const file of readdirSync(folder).toSorted())
    hash.update(file).update(readFileSync(new URL(file, folder)))
  const name = `vidimus_template_${hash.digest('hex').slice(0, 12)}_${dayName(0)}`
  await using admin = await connectAsAdmin()
  // Two runs may start at once on one server: one creates the template, the other waits.
  await admin.query('select pg_advisory_lock(7240114027)')
  const { rowCount } = await admin.query('select 1 from pg_database where datname = $1 and datistemplate', [
    name,
  ])
  if (rowCount === 0) {
    await admin.query(`drop database if exists ${name}`)
    await admin.query(`create database ${name}`)
    await migrate({ url: databaseUrl(name) })
    await raiseDeviceLimits(name)
    await admin.query(`alter database ${name} is_template true`)
    await dropOldTemplates(admin)
  }
  await admin.query('select pg_advisory_unlock(7240114027)')
  return name
}

/** Tests register more devices than the plan of new tenants allows. */
async function raiseDeviceLimits(name: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl(name) })
  await client.connect()
  await client.query('update plans set devices = 100000, registrations_a_day = 100000 where by_default')
  await client.end()
}

/** Yesterday's templates stay: a run that began before midnight may still clone one. */
async function dropOldTemplates(admin: Awaited<ReturnType<typeof connectAsAdmin>>): Promise<void> {
  const { rows } = await admin.query<{ datname: string }>(
    `select datname from pg_database
     where datname ~ '^vidimus_template_[0-9a-f]{12}_[0-9]{8}$' and right(datname, 8) < $1`,
    [dayName(-1)],
  )
  for (const { datname } of rows) {
    await admin.query(`alter database ${datname} is_template false`)
    await admin.query(`drop database if exists ${datname} with (force)`)
  }
}

/** A UTC day relative to today: `20261115`. */
function dayName(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')
}
