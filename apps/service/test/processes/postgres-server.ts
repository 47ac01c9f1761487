import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from './redis-server.ts'
import { waitUntil } from '../wait-until.ts'

export type PostgresServer = {
  url: string
  /** Where its files lie. */
  folder: string
  /** Runs a statement outside any transaction, for as long as it takes. */
  run(statement: string): Promise<void>
  /** Stops every process of it without closing a connection: it takes requests and answers none. */
  freeze(): void
  thaw(): void
  /** Kills it as a crash would, and starts it again on the same files. */
  crash(): Promise<void>
} & AsyncDisposable

/** Where this machine has the server's own programs; undefined where PostgreSQL runs elsewhere. */
export const postgresBinaries = globSync([
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/opt/homebrew/opt/postgresql*/bin',
])
  .toSorted()
  .findLast((folder) => existsSync(join(folder, 'initdb')))

/** A PostgreSQL of the run's own, whose files it may look into: nobody else writes to them. */
export async function startPostgresServer(): Promise<PostgresServer> {
  const bin = postgresBinaries
  if (bin === undefined) throw new Error('the programs of PostgreSQL are not on this machine')
  const user = process.getuid?.() === 0 ? userIds('postgres') : undefined
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-postgres-'))
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const port = await freePort()
  // PostgreSQL refuses to run as root, and wants a folder that its user may be in.
  const spawnOptions = { ...user, cwd: folder, stdio: 'ignore' as const }
  execFileSync(
    join(bin, 'initdb'),
    ['-D', folder, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--no-sync'],
    spawnOptions,
  )
  const args = ['-D', folder, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1']
  const start = async () => {
    const started = spawn(join(bin, 'postgres'), args, spawnOptions)
    await waitUntil(() => isReady(url), { within_ms: 60_000 })
    return started
  }
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let child = await start()
  return {
    url,
    folder,
    run: (statement) => runOnce(url, statement),
    freeze: () => signalTree(child.pid, 'SIGSTOP'),
    thaw: () => signalTree(child.pid, 'SIGCONT'),
    async crash() {
      const gone = once(child, 'exit')
      signalTree(child.pid, 'SIGKILL')
      await gone
      rmSync(join(folder, 'postmaster.pid'), { force: true })
      child = await start()
    },
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit')
      child.kill('SIGINT')
      await gone
      rmSync(folder, { recursive: true })
    },
  }
}

/** The server and its sessions, each of which is a process of its own. */
function signalTree(parent: number | undefined, signal: NodeJS.Signals): void {
  const children = globSync('/proc/[0-9]*/stat').flatMap((file) => {
    try {
      const [, pid, ppid] = /^(\d+) \(.*\) \S (\d+)/.exec(readFileSync(file, 'utf8')) ?? []
      return Number(ppid) === parent ? [Number(pid)] : []
    } catch {
      // It ended while we looked.
      return []
    }
  })
  for (const pid of [parent, ...children]) if (pid !== undefined) process.kill(pid, signal)
}

function userIds(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

async function isReady(url: string): Promise<boolean> {
  try {
    await runOnce(url, 'select 1')
    return true
  } catch {
    // Not yet: it is starting, or still reading its files.
    return false
  }
}

async function runOnce(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
