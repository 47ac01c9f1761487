import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { timedOut } from '../failures.ts'
import type { Db } from '../open.ts'
import { sql } from '../sql.ts'
import { findChanged, functionText, type AppliedDefinition } from './definitions.ts'

const folder = new URL('../../../../schema/migrations/', import.meta.url)
/** The advisory lock of all nodes. The number is arbitrary but must never change. */
const lockKey = 7_240_114_026
const limits = { lock_ms: 1000, statement_ms: 600_000, pause_ms: 500, tries: 60 }

/** A later version of the service migrated the database; continuing could break what that version relies on. */
export class NewerSchemaError extends Error {
  override name = 'NewerSchemaError'
}

export type MigrateOptions = {
  url: string
  onRetry?: (step: string) => void
  /** Before each step: how many are done, of how many. */
  onProgress?: (done: number, of: number) => void
}

/**
 * Applies the pending migrations, each in its own transaction, then the definitions whose text has changed, and returns the names
 * of all. Any number of nodes may call it at once: one applies them, the others wait and find nothing to do. A step that cannot
 * get its lock within a second rolls back and retries, because a statement that waits for a table lock blocks everyone behind it.
 */
export async function migrate({ url, onRetry, onProgress }: MigrateOptions): Promise<string[]> {
  const client = new Client({ connectionString: url, application_name: 'vidimus migrate' })
  await client.connect()
  try {
    const applied: string[] = []
    const files = migrationFiles()
    for (const [done, file] of files.entries()) {
      onProgress?.(done, files.length)
      applied.push(...(await withRetries(client, file, onRetry, () => applyMigration(client, file))))
    }
    onProgress?.(files.length, files.length)
    applied.push(...(await withRetries(client, 'definitions', onRetry, () => applyDefinitions(client))))
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
 * The migrations and definitions that this database lacks. A database migrated by a later version lacks none: both are compatible
 * with the previous code, so that nodes can be replaced one by one.
 */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const applied = new Set(await appliedMigrations(db))
  const missing = migrationFiles().filter((file) => !applied.has(file))
  if (missing.length > 0) return missing
  const rows = await db.query<AppliedDefinition>(
    sql`select name, hash, version from schema_definitions limit 10000`,
  )
  return findChanged(rows).map(({ name }) => name)
}

/** The migrations of this database that this version does not know: a later version applied them. */
export async function unknownMigrations(db: Db): Promise<string[]> {
  const known = new Set(migrationFiles())
  return (await appliedMigrations(db)).filter((file) => !known.has(file))
}

async function appliedMigrations(db: Db): Promise<string[]> {
  const [table] = await db.query<{ exists: boolean }>(
    sql`select to_regclass('schema_definitions') is not null as exists`,
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

async function withRetries<Result>(
  client: Client,
  step: string,
  onRetry: MigrateOptions['onRetry'],
  apply: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query('begin')
      await client.query(
        `set local lock_timeout = ${limits.lock_ms}; set local statement_timeout = ${limits.statement_ms};
         set local check_function_bodies = off`,
      )
      await client.query('select pg_advisory_xact_lock($1)', [lockKey])
      const result = await apply()
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback')
      // Another node is migrating, or a long transaction has locked a table. Any other error is a bug in the migration.
      if (!timedOut(error) || attempt >= limits.tries) throw error
      onRetry?.(step)
      await sleep(limits.pause_ms)
    }
  }
}

async function applyMigration(client: Client, file: string): Promise<string[]> {
  await client.query(`
    create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now());
    create table if not exists schema_definitions (name text primary key, hash text not null, version text not null)`)
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations')
  if (!findMissing(rows.map(({ name }) => name)).includes(file)) return []
  const text = readFileSync(new URL(file, folder), 'utf8')
  // Functions that defaults and indexes of the migration's tables call. The others need the tables first.
  for (const name of /^-- requires: (.*)$/m.exec(text)?.[1]?.split(', ') ?? [])
    await client.query(functionText(name))
  await client.query(text)
  await client.query('insert into schema_migrations (name) values ($1)', [file])
  return [file]
}

async function applyDefinitions(client: Client): Promise<string[]> {
  const { rows } = await client.query<AppliedDefinition>('select name, hash, version from schema_definitions')
  const changed = findChanged(rows)
  for (const { name, text, hash, version } of changed) {
    await client.query(text)
    await client.query(
      `insert into schema_definitions (name, hash, version) values ($1, $2, $3)
       on conflict (name) do update set hash = excluded.hash, version = excluded.version`,
      [name, hash, version],
    )
  }
  if (changed.length > 0) await client.query('select make_partitions_ahead()')
  return changed.map(({ name }) => name)
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
