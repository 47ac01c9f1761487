import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { describeSchema } from '../../../../test/database/describe-schema.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/database/test-database.ts'
import { packedProgram } from '../../../../test/processes/packed-program.ts'
import { migrate, NewerSchemaError, pendingMigrations } from './migrate.ts'
import { openDatabase } from '../open.ts'

const folder = new URL('../../../../schema/', import.meta.url)

test(
  'three processes migrate a new database at once, three times: each migration is applied once',
  { timeout: 240_000 },
  async () => {
    for (let round = 0; round < 3; round += 1) {
      await using database = await createTestDatabase({ empty: true })
      const applied = (await Promise.all([1, 2, 3].map(() => runMigrate(database.url)))).flat()

      expect(applied).toContain('0001_baseline.sql')
      await expectAppliedOnce(database, applied)
    }
  },
)

test('three nodes upgrade a database at once, 20 times: each changed definition is applied once', async () => {
  await using earlier = await createTestDatabase()
  const names = ['functions/response_bucket.sql', 'tables/templates', 'views/verification_outcomes.sql']
  await runSql(
    earlier,
    `update schema_definitions set hash = 'of an earlier text' where name in ('${names.join("', '")}')`,
  )
  for (let round = 0; round < 20; round += 1) {
    await using database = await createTestDatabase({ copyOf: earlier.name })
    const applied = (await Promise.all([1, 2, 3].map(() => migrate({ url: database.url })))).flat()

    expect(applied.toSorted()).toEqual(names)
    await expectAppliedOnce(database, applied)
  }
})

test('a function that differs from its file is replaced, and one of a later version stays', async () => {
  await using database = await createTestDatabase()
  await runSql(
    database,
    `create or replace function response_bucket(seconds double precision) returns smallint language sql as $$ select 7::smallint $$;
     create or replace function outcome_of(shown_status text, error_code text) returns text language sql as $$ select 'later' $$;
     update schema_definitions set hash = '' where name in ('functions/response_bucket.sql', 'functions/outcome_of.sql');
     update schema_definitions set version = '99.0.0' where name = 'functions/outcome_of.sql'`,
  )

  expect(await migrate({ url: database.url })).toEqual(['functions/response_bucket.sql'])
  expect(
    await runSql(database, `select response_bucket(null) as bucket, outcome_of('failed', '') as outcome`),
  ).toEqual([{ bucket: 0, outcome: 'later' }])
})

test('schema.sql shows the tables, views and triggers of a new database, and each function has exactly one file', async () => {
  await using database = await createTestDatabase()
  const files = readdirSync(new URL('functions/', folder)).map((file) => file.replace('.sql', ''))

  expect(readFileSync(new URL('schema.sql', folder), 'utf8')).toBe(await describeSchema(database.url))
  const functions = await runSql(
    database,
    `select proname as name from pg_proc where pronamespace = 'public'::regnamespace order by proname collate "C"`,
  )
  expect(functions.map(({ name }) => name)).toEqual(files.toSorted())
  for (const file of globSync(`${folder.pathname}**/*.sql`)) {
    const defined = [...readFileSync(file, 'utf8').matchAll(/^\s*create (?:or replace )?function (\w+)/gm)]
    expect(defined.map(([, name]) => name)).toEqual(
      file.includes('/functions/') ? [basename(file, '.sql')] : [],
    )
  }
})

test('a migrated database needs no migration', async () => {
  await using database = await createTestDatabase()

  expect(await migrate({ url: database.url })).toEqual([])
})

test('a migration that meets a locked table rolls back and retries, and nothing queues behind it', async () => {
  await using database = await createTestDatabase({ empty: true })
  const blocker = await connect(database.url)
  await blocker.query(
    'create table schema_migrations (name text primary key, applied_at timestamptz default now())',
  )
  await blocker.query('begin; lock table schema_migrations in access exclusive mode')

  let retries = 0
  const run = migrate({ url: database.url, onRetry: () => (retries += 1) })
  await until(() => retries >= 1)
  // During the pause before the retry, the migration does not wait for the table.
  const { rows } = await blocker.query(`select count(*)::int as waiting from pg_locks where not granted`)
  expect(rows[0]).toEqual({ waiting: 0 })
  await blocker.query('commit')

  expect(await run).toContain('0001_baseline.sql')
  expect(retries).toBeGreaterThanOrEqual(1)
  await blocker.end()
})

test('a database migrated by a later version is refused', async () => {
  await using database = await createTestDatabase()
  const client = await connect(database.url)
  await client.query(`insert into schema_migrations (name) values ('9999_from_the_future.sql')`)
  await client.end()

  await expect(migrate({ url: database.url })).rejects.toThrow(NewerSchemaError)
})

async function expectAppliedOnce({ url }: TestDatabase, applied: string[]): Promise<void> {
  expect(new Set(applied).size).toBe(applied.length)
  const db = openDatabase({ url, poolSize: 2 })
  expect(await pendingMigrations(db)).toEqual([])
  await db.close()
}

async function runSql({ url }: TestDatabase, text: string): Promise<Record<string, unknown>[]> {
  const client = await connect(url)
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

async function runMigrate(url: string): Promise<string[]> {
  const child = spawn(process.execPath, [packedProgram(), 'migrate', '--json'], {
    env: { PATH: process.env['PATH'], DATABASE_URL: url, MASTER_KEY: randomBytes(32).toString('base64') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect(code).toBe(0)
  const { applied }: { applied: string[] } = JSON.parse(Buffer.concat(chunks).toString())
  return applied
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
}

async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 10_000
  while (!condition()) {
    if (Date.now() > end) throw new Error('the condition was not met within ten seconds')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
