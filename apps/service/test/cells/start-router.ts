import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../processes/redis-server.ts'
import { waitUntil } from '../wait-until.ts'

const reference = new URL('../../../../deploy/haproxy-cells.cfg', import.meta.url)

export type RouterOptions = {
  /** The port of each cell's `serve`, on this machine. */
  cells: { a: number; b: number }
  /** By default a free port. */
  port?: number
  /** Lines of moved.map: key and cell. */
  moved?: readonly string[]
  /** A change of the rules, to see that a check notices it. */
  change?: (rules: string) => string
}

export type Router = { port: number; address: string } & AsyncDisposable

/** Starts HAProxy with the reference file for operators. Only addresses and paths are replaced. */
export async function startRouter({ cells, port, moved = [], change }: RouterOptions): Promise<Router> {
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-router-'))
  const listenPort = port ?? (await freePort())
  writeFileSync(join(folder, 'moved.map'), moved.map((line) => `${line}\n`).join(''))
  const rules = (change ?? String)(readRules())
    .replaceAll('/etc/haproxy/moved.map', join(folder, 'moved.map'))
    .replace('bind :8080', `bind 127.0.0.1:${listenPort}`)
    .replaceAll('127.0.0.1:8081', `127.0.0.1:${cells.a}`)
    .replaceAll('127.0.0.1:8082', `127.0.0.1:${cells.b}`)
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, rules)
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let complaints = ''
  child.stderr.on('data', (text: Buffer) => (complaints += text.toString()))
  const ended = once(child, 'exit')
  await waitUntil(async () => {
    if (child.exitCode !== null) throw new Error(`HAProxy did not start: ${complaints}`)
    return isListening(listenPort)
  })
  return {
    port: listenPort,
    address: `http://127.0.0.1:${listenPort}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

export function readRules(): string {
  return readFileSync(reference, 'utf8')
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const opened = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false)
  socket.destroy()
  return opened
}
