import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntil } from '../wait-until.ts'
import { freePort } from './redis-server.ts'

const reference = new URL('../../../../deploy/haproxy.cfg', import.meta.url)

export type HaproxyAddresses = {
  /** Where HAProxy listens: for connections to the database, for requests, and for itself. All as `127.0.0.1:5000`. */
  database: string
  service: string
  internal: string
  /** PostgreSQL nodes with the port of Patroni's REST API. */
  nodes: readonly { address: string; check_port: number }[]
  /** The `serve` processes: `127.0.0.1:8080`. */
  processes: readonly string[]
}

/** The configuration that operators get, with other addresses and as many servers as given. */
export function writeHaproxyConfig(addresses: HaproxyAddresses): string {
  const { database, service, internal, nodes, processes } = addresses
  const nodeLines = nodes.map(
    ({ address, check_port }, at) => ` pg${at + 1} ${address} check port ${check_port}`,
  )
  const processLines = (options: string) =>
    processes.map(
      (address, at) => ` serve${at + 1} ${address} ${options.replace(/serve\d/, `serve${at + 1}`)}`,
    )
  return readFileSync(reference, 'utf8')
    .replace('bind 127.0.0.1:5000', `bind ${database}`)
    .replace('bind :8000', `bind ${service}`)
    .replaceAll('127.0.0.1:8001', internal)
    .replaceAll(/(?: {2}server (?:pg|serve)\d .*\n)+/g, (lines) => {
      const [, options = ''] = /serve1 \S+ (.*)/.exec(lines) ?? []
      const servers = lines.includes('server pg1 ') ? nodeLines : processLines(options)
      return servers.map((line) => `  server${line}\n`).join('')
    })
}

export type Haproxy = {
  /** Where requests go: `http://127.0.0.1:8000`. */
  address: string
  database_port: number
} & AsyncDisposable

/** Runs HAProxy with the operators' configuration on free ports. */
export async function startHaproxy(servers: Pick<HaproxyAddresses, 'nodes' | 'processes'>): Promise<Haproxy> {
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-haproxy-'))
  const [database_port, port, internal_port] = [await freePort(), await freePort(), await freePort()]
  const file = join(folder, 'haproxy.cfg')
  const listening = {
    database: `127.0.0.1:${database_port}`,
    service: `127.0.0.1:${port}`,
    internal: `127.0.0.1:${internal_port}`,
  }
  writeFileSync(file, writeHaproxyConfig({ ...listening, ...servers }))
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const log: string[] = []
  child.stderr.on('data', (chunk: Buffer) => log.push(chunk.toString()))
  await waitUntil(() => {
    if (child.exitCode !== null) throw new Error(`HAProxy did not start:\n${log.join('')}`)
    return accepts(port)
  })
  return {
    address: `http://127.0.0.1:${port}`,
    database_port,
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
      rmSync(folder, { recursive: true })
    },
  }
}

/** Whether something listens on a port of this machine. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
      .on('connect', () => {
        socket.destroy()
        resolve(true)
      })
      .on('error', () => resolve(false))
  })
}
