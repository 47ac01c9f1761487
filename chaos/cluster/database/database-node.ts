import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { childProcesses, postgresBinaries } from '../../../apps/service/test/processes/postgres-server.ts'
import { startManaged, type ManagedProcess } from '../processes/managed-process.ts'
import type { ClusterNetwork, NodePlace } from '../processes/network.ts'
import { clockedBinaries, setClock } from './node-clock.ts'
import { fillDisk, freeDisk, mountDisk } from './node-disk.ts'
import { passwords, patroniSettings } from './patroni-settings.ts'

/** PostgreSQL under Patroni: one machine of the database. */
export type DatabaseNode = {
  number: number
  name: string
  place: NodePlace
  patroni: ManagedProcess
  data_folder: string
  /** Kills PostgreSQL's main process. Patroni is there to restart it. */
  killPostmaster(): void
  /** Kills Patroni and every process of PostgreSQL, as a power cut would. `start` brings the node back. */
  kill(): Promise<void>
  start(): void
  /** Suspends Patroni and every process of PostgreSQL, with their connections open. */
  freeze(): void
  thaw(): void
  /** Suspends the processes that send changes to the standbys. They end with the node. */
  freezeReplication(): number
  /** The status that Patroni's interface answers for a path such as `/primary`; 0 if it does not answer within a second. */
  ask(path: string): Promise<number>
  /** Sends a command to Patroni's interface, such as a switchover, which takes some seconds. */
  post(path: string, body: object): Promise<{ status: number; body: string }>
  /** Leaves no space on the disk of the node, if it has one of its own. */
  fillDisk(): void
  freeDisk(): void
  /** Sets the node's clock this many seconds ahead, if it has one of its own. */
  setClock(seconds: number): void
  /** Runs a statement on this node as superuser. */
  query<Row>(statement: string): Promise<Row[]>
}

export type NodeOptions = {
  folder: string
  number: number
  network: ClusterNetwork
  etcd: readonly string[]
  nodes: number
  synchronous: boolean
  failsafe: boolean
  etcd_api: 'v2' | 'v3'
  /** The size of a file system of its own. */
  disk_mb?: number | undefined
  /** Whether its clock can be set. */
  clocks: boolean
}

export async function createDatabaseNode(options: NodeOptions): Promise<DatabaseNode> {
  const { folder, number, network, disk_mb, clocks } = options
  const name = `node${number}`
  const place = await network.addNode(number)
  const home = join(folder, name)
  mkdirSync(home, { recursive: true })
  if (disk_mb !== undefined) mountDisk(home, disk_mb)
  chownToPostgres(home)
  const data_folder = join(home, 'data')
  const settings = join(home, 'patroni.json')
  const binaries = clocks ? clockedBinaries(home) : postgresBinaries
  writeFileSync(settings, patroniSettings({ ...options, place, data_folder, binaries }))
  const patroni = startManaged(folder, {
    name: `patroni${number}`,
    command: 'patroni',
    args: [settings],
    user: 'postgres',
    namespace: place.namespace,
  })
  const all = () => postgresProcesses(data_folder)
  return {
    number,
    name,
    place,
    patroni,
    data_folder,
    killPostmaster: () => signalAll(all().slice(0, 1), 'SIGKILL'),
    async kill() {
      await patroni.kill()
      killPostgres(data_folder)
    },
    start: () => patroni.start(),
    freeze() {
      patroni.signal('SIGSTOP')
      signalAll(all().slice(0, 1), 'SIGSTOP') // it starts no further process from here on
      signalAll(all(), 'SIGSTOP')
    },
    thaw() {
      signalAll(all(), 'SIGCONT')
      patroni.signal('SIGCONT')
    },
    freezeReplication() {
      const senders = all().filter((pid) => commandLine(pid).includes('walsender'))
      signalAll(senders, 'SIGSTOP')
      return senders.length
    },
    ask: (path) => askPatroni(place, path),
    post: (path, body) => postToPatroni(place, path, body),
    fillDisk() {
      if (disk_mb === undefined) throw new Error('this node has no disk of its own')
      fillDisk(home)
    },
    freeDisk: () => freeDisk(home),
    setClock(seconds) {
      if (!clocks) throw new Error('this node has no clock of its own')
      setClock(home, seconds)
    },
    query: (statement) => queryNode(place, statement),
  }
}

/** Kills the postmaster first stopped, so that no verification starts meanwhile, and then all of its processes. */
export function killPostgres(data_folder: string): void {
  signalAll(postgresProcesses(data_folder).slice(0, 1), 'SIGSTOP')
  signalAll(postgresProcesses(data_folder), 'SIGKILL')
}

/** The postmaster, if it runs, and then its processes. */
export function postgresProcesses(data_folder: string): number[] {
  try {
    const postmaster = Number(readFileSync(join(data_folder, 'postmaster.pid'), 'utf8').split('\n')[0])
    // The file survives a crash, and the system may have given its pid to another process.
    return commandLine(postmaster).includes(data_folder) ? [postmaster, ...childProcesses(postmaster)] : []
  } catch {
    // PostgreSQL does not run.
    return []
  }
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    // The process exited.
    return ''
  }
}

export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It exited meanwhile.
    }
  }
}

async function askPatroni({ host, rest_port }: NodePlace, path: string): Promise<number> {
  try {
    const response = await fetch(`http://${host}:${rest_port}${path}`, { signal: AbortSignal.timeout(1000) })
    await response.arrayBuffer()
    return response.status
  } catch {
    // Patroni is not running, suspended or cut off.
    return 0
  }
}

async function postToPatroni({ host, rest_port }: NodePlace, path: string, body: object) {
  const response = await fetch(`http://${host}:${rest_port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  })
  return { status: response.status, body: await response.text() }
}

async function queryNode<Row>({ host, database_port }: NodePlace, statement: string): Promise<Row[]> {
  const client = new Client({
    host,
    port: database_port,
    user: 'postgres',
    password: passwords.superuser,
    database: 'postgres',
    connectionTimeoutMillis: 2000,
    query_timeout: 5000,
  })
  client.on('error', () => {}) // the query reports it
  try {
    await client.connect()
    return (await client.query(statement)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

function chownToPostgres(folder: string): void {
  if (process.getuid?.() !== 0) return
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  chownSync(folder, id('-u'), id('-g'))
}
