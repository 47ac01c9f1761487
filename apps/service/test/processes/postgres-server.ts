import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from './redis-server.ts'
import { waitUntil } from '../wait-until.ts'

export type PostgresServer = {
  url: string
  /** The process id of the server. Its verifications and background processes are its children. */
  pid(): number
  /** Its data directory. */
  folder: string
  /** Runs a statement outside a transaction and without a time limit. */
  run(statement: string): Promise<void>
  /** Suspends all of its processes with their connections open: it accepts requests and responds to none. */
  freeze(): void
  thaw(): void
  /** Kills the server, as a crash would. */
  kill(): Promise<void>
  /** Starts it again on the same data directory. */
  start(): Promise<void>
  /** Kills and starts it. */
  crash(): Promise<void>
} & AsyncDisposable

/** The directory of the server's binaries; undefined if they are not installed on this machine. */
export const postgresBinaries = globSync([
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/opt/homebrew/opt/postgresql*/bin',
])
  .toSorted()
  .findLast((folder) => existsSync(join(folder, 'initdb')))

/** A PostgreSQL server for one run, which may inspect its files: nothing else writes to them. */
export async function startPostgresServer(
  settings: Record<string, string> = {},
  { within = tmpdir() }: { within?: string } = {},
): Promise<PostgresServer> {
  const bin = postgresBinaries
  if (bin === undefined) throw new Error('the PostgreSQL server binaries are not installed on this machine')
  const user = process.getuid?.() === 0 ? userIds('postgres') : undefined
  const folder = mkdtempSync(join(within, 'vidimus-postgres-'))
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const port = await freePort()
  // PostgreSQL refuses to run as root and needs a working directory that its user can access.
  const spawnOptions = { ...user, cwd: folder, stdio: 'ignore' as const }
  execFileSync(
    join(bin, 'initdb'),
    ['-D', folder, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--no-sync'],
    // What it says on its standard error becomes part of the error's message.
    { ...spawnOptions, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const args = ['-D', folder, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1']
  for (const [name, value] of Object.entries(settings)) args.push('-c', `${name}=${value}`)
  const start = async () => {
    const started = spawn(join(bin, 'postgres'), args, spawnOptions)
    await waitUntil(() => isReady(url), { within_ms: 60_000 })
    return started
  }
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let child = await start()
  const kill = async () => {
    const gone = once(child, 'exit')
    signalTree(child.pid, 'SIGKILL')
    await gone
    rmSync(join(folder, 'postmaster.pid'), { force: true })
  }
  const startAgain = async () => {
    child = await start()
  }
  return {
    url,
    folder,
    pid: () => child.pid ?? 0,
    run: (statement) => runOnce(url, statement),
    freeze: () => signalTree(child.pid, 'SIGSTOP'),
    thaw: () => signalTree(child.pid, 'SIGCONT'),
    kill,
    start: startAgain,
    async crash() {
      await kill()
      await startAgain()
    },
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit')
      if (child.kill('SIGINT')) await gone
      rmSync(folder, { recursive: true })
    },
  }
}

/** Makes the server offer TLS with this certificate to new connections. */
export async function presentCertificate(
  server: PostgresServer,
  { key, cert }: { key: string; cert: string },
): Promise<void> {
  const { uid, gid } = statSync(server.folder)
  for (const [name, text] of [
    ['server.key', key],
    ['server.crt', cert],
  ] as const) {
    writeFileSync(join(server.folder, name), text, { mode: 0o600 })
    chownSync(join(server.folder, name), uid, gid)
  }
  await server.run('alter system set ssl = on')
  await server.run('select pg_reload_conf()')
}

/** Signals the server and its sessions, each of which is a separate process. */
function signalTree(parent: number | undefined, signal: NodeJS.Signals): void {
  if (parent === undefined) return
  for (const pid of [parent, ...childProcesses(parent)])
    try {
      process.kill(pid, signal)
    } catch (error) {
      // A verification that ended meanwhile, such as those of a server that was just killed.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
}

/** The ids of the processes that a process started. */
export function childProcesses(parent: number): number[] {
  return globSync('/proc/[0-9]*/stat').flatMap((file) => {
    try {
      const [, pid, ppid] = /^(\d+) \(.*\) \S (\d+)/.exec(readFileSync(file, 'utf8')) ?? []
      return Number(ppid) === parent ? [Number(pid)] : []
    } catch {
      // The process exited meanwhile.
      return []
    }
  })
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
    // Not yet: it is still starting or recovering.
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
