import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'

export type RedisServer = {
  url: string
  pid(): number
  /** Kills the server, as a crash would. */
  kill(): Promise<void>
  /** Suspends the server with its connections open: it accepts requests and responds to none. */
  freeze(): void
  thaw(): void
  /** Starts an empty server on the same port. */
  start(): Promise<void>
} & AsyncDisposable

/** A Redis server for one test, which the test may kill. */
export async function startRedisServer(): Promise<RedisServer> {
  const port = await freePort()
  let child = await spawnRedis(port)
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: () => child.pid ?? 0,
    kill,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async start() {
      child = await spawnRedis(port)
    },
    [Symbol.asyncDispose]: kill,
  }
}

async function spawnRedis(port: number): Promise<ChildProcess> {
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] })
  for await (const line of createInterface(child.stdout)) {
    if (line.includes('Ready to accept connections')) break
  }
  child.stdout.resume()
  return child
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  server.close()
  await once(server, 'close')
  return port
}
