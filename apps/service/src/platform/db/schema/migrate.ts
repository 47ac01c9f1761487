import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { timedOut } from '../failures.ts'
import type { Db } from '../open.ts'
import { sql } from '../sql.ts'

const folder = new URL('../../../../migrations/', import.meta.url)
/** The advisory lock of all nodes. The number is arbitrary but must never change. */
const lockKey = 7_240_114_026
const limits = { lock_ms: 1000, statement_ms: 600_000, pause_ms: 500, tries: 60 }

/** A later version of the service migrated the database; continuing could break what that version relies on. */
export class NewerSchemaError extends Error {
  override name = 'NewerSchemaError'
}

export type MigrateOptions = { url: string; onRetry?: (migration: string) => void }

/**
 * Applies the pending migrations, each in its own transaction, and returns their names. Any number of nodes may call it at
 * once: one applies them, the others wait and find nothing to do. A migration that cannot get its lock within a second rolls
 * back and retries, because a statement that waits for a table lock blocks everyone behind it.
 */
export async function migrate({ url, onRetry }: MigrateOptions): Promise<string[]> {
  const client = new Client({ connectionString: url, application_name: 'vidimus migrate' })
  await client.connect()
  try {
    const applied: string[] = []
    for (const file of migrationFiles()) {
      if (await applyWithRetries(client, file, onRetry)) applied.push(file)
    }
    return applied
  } finally {
    await client.end()
  }
}

/** The database lacks migrations that this version needs. */
export class PendingMigrationsError extends Error {
  override name = 'PendingMigrationsError'
}

/**
 * The migrations this database lacks. A database migrated by a later version lacks none: migrations are compatible with the
 * previous code, so that nodes can be replaced one by one.
 */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const applied = new Set(await appliedMigrations(db))
  return migrationFiles().filter((file) => !applied.has(file))
}

/** The migrations of this database that this version does not know: a later version applied them. */
export async function unknownMigrations(db: Db): Promise<string[]> {
  const known = new Set(migrationFiles())
  return (await appliedMigrations(db)).filter((file) => !known.has(file))
}

async function appliedMigrations(db: Db): Promise<string[]> {
  const [table] = await db.query<{ exists: boolean }>(
    sql`select to_regclass('schema_migrations') is not null as exists`,
  )
  if (table?.exists !== true) return []
  const rows = await db.query<{ name: string }>(
    sql`select name from schema_migrations order by name limit 10000`,
  )
  return rows.map(({ name }) => name)
}

/** Throws PendingMigrationsError if a migration is missing. */
export async function requireMigrated(db: Db): Promise<void> {
  const pending = await pendingMigrations(db)
  if (pending.length > 0)
    throw new PendingMigrationsError(
      `The database lacks ${pending.join(', ')}. Run \`vidimus migrate\` first.`,
    )
}

async function applyWithRetries(
  client: Client,
  file: string,
  onRetry: MigrateOptions['onRetry'],
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await apply(client, file)
    } catch (error) {
      await client.query('rollback')
      // Another node is migrating, or a long transaction has locked a table. Any other error is a bug in the migration.
      if (!timedOut(error) || attempt >= limits.tries) throw error
      onRetry?.(file)
      await sleep(limits.pause_ms)
    }
  }
}

async function apply(client: Client, file: string): Promise<boolean> {
  await client.query('begin')
  await client.query(
    `set local lock_timeout = ${limits.lock_ms}; set local statement_timeout = ${limits.statement_ms}`,
  )
  await client.query('select pg_advisory_xact_lock($1)', [lockKey])
  await client.query(
    'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())',
  )
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations')
  const pending = findMissing(rows.map(({ name }) => name)).includes(file)
  if (pending) {
    await client.query(readFileSync(new URL(file, folder), 'utf8'))
    await client.query('insert into schema_migrations (name) values ($1)', [file])
  }
  await client.query('commit')
  return pending
}

function findMissing(applied: string[]): string[] {
  const files = migrationFiles()
  const unknown = applied.filter((name) => !files.includes(name))
  if (unknown.length > 0)
    throw new NewerSchemaError(`The database is newer than this program: it has ${unknown.join(', ')}.`)
  return files.filter((file) => !applied.includes(file))
}

function migrationFiles(): string[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}_[a-z_]+\.sql$/.test(file))
    .toSorted()
}
