import { execFile, execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { postgresBinaries } from '../../../apps/service/test/processes/postgres-server.ts'
import { freePort } from '../../../apps/service/test/processes/redis-server.ts'
import { waitUntil } from '../../../apps/service/test/wait-until.ts'
import { startManaged } from '../processes/managed-process.ts'

export type BackedUpServer = {
  url: string
  /** The server's clock. */
  now(): Promise<string>
  /** Restores the latest backup to a time, in place: the address stays. The service's connections break. */
  restoreTo(time: string): Promise<void>
  stop(): Promise<void>
}

const run = promisify(execFile)
const user = 'postgres'

/** A PostgreSQL server with the database `vidimus`, whose WAL pgBackRest archives. `folder` gets all its files. */
export async function startBackedUpServer(
  folder: string,
): Promise<BackedUpServer & { backUp(): Promise<void> }> {
  const bin = postgresBinaries
  if (bin === undefined) throw new Error('the PostgreSQL server binaries are not installed on this machine')
  const port = await freePort()
  const data = join(folder, 'data')
  const configuration = join(folder, 'pgbackrest.conf')
  for (const name of ['data', 'repo', 'pgbackrest']) ownedFolder(join(folder, name))
  writeFileSync(configuration, settings(folder, port))
  const asOwner = (command: string, args: readonly string[]) =>
    process.getuid?.() === 0
      ? run('setpriv', [`--reuid=${user}`, `--regid=${user}`, '--init-groups', command, ...args], {
          cwd: folder,
        })
      : run(command, args, { cwd: folder })
  const backRest = (...args: string[]) =>
    asOwner('pgbackrest', [`--config=${configuration}`, '--stanza=cell', ...args])

  await asOwner(join(bin, 'initdb'), [
    '-D',
    data,
    '-A',
    'trust',
    '-U',
    'postgres',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
  ])
  appendFileSync(
    join(data, 'postgresql.conf'),
    [
      "listen_addresses = '127.0.0.1'",
      `port = ${port}`,
      `unix_socket_directories = '${folder}/pgbackrest'`,
      'archive_mode = on',
      `archive_command = 'pgbackrest --config=${configuration} --stanza=cell archive-push %p'`,
      'max_wal_size = 4GB',
      '',
    ].join('\n'),
  )
  const server = startManaged(folder, {
    name: 'postgres',
    command: join(bin, 'postgres'),
    args: ['-D', data],
    user,
  })
  const serverUrl = `postgres://postgres@127.0.0.1:${port}`
  await waitUntil(() => isWritable(serverUrl), { within_ms: 60_000, every_ms: 50 })
  await ask(serverUrl, 'create database vidimus')
  await backRest('stanza-create')
  return {
    url: `${serverUrl}/vidimus`,
    now: async () => (await ask<{ now: string }>(serverUrl, 'select clock_timestamp()::text as now')).now,
    async backUp() {
      await backRest('--type=full', 'backup')
    },
    async restoreTo(time) {
      // Everything after the time has to be in the archive, so that the restore ends at the time and not before it.
      await ask(serverUrl, 'select pg_switch_wal()')
      await server.kill('SIGINT')
      await backRest('--delta', '--type=time', `--target=${time}`, '--target-action=promote', 'restore')
      server.start()
      await waitUntil(() => isWritable(serverUrl), { within_ms: 120_000, every_ms: 50 })
    },
    stop: () => server.kill('SIGINT'),
  }
}

function settings(folder: string, port: number): string {
  return `[global]
repo1-path=${folder}/repo
log-path=${folder}/pgbackrest
lock-path=${folder}/pgbackrest
spool-path=${folder}/pgbackrest
log-level-console=error
start-fast=y
archive-async=n
compress-type=none
[cell]
pg1-path=${folder}/data
pg1-port=${port}
pg1-socket-path=${folder}/pgbackrest
`
}

function ownedFolder(path: string): void {
  mkdirSync(path)
  chmodSync(path, 0o700)
  if (process.getuid?.() === 0) {
    const id = (flag: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }))
    chownSync(path, id('-u'), id('-g'))
  }
}

async function isWritable(url: string): Promise<boolean> {
  try {
    return !(await ask<{ recovers: boolean }>(url, 'select pg_is_in_recovery() as recovers')).recovers
  } catch {
    // It is still starting.
    return false
  }
}

async function ask<Row extends object>(url: string, statement: string): Promise<Row> {
  const client = new Client({ connectionString: `${url}/postgres`, connectionTimeoutMillis: 5000 })
  client.on('error', () => {}) // the query reports it
  await client.connect()
  try {
    const { rows } = await client.query(statement)
    return rows[0]
  } finally {
    await client.end()
  }
}
