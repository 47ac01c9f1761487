import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'

const repository = fileURLToPath(new URL('../../', import.meta.url))
const start_ms = 60_000

/** The start command of each example, exactly as README.md documents it. */
export const startCommands: ReadonlyMap<string, string> = new Map(
  [
    ...readFileSync(new URL('../README.md', import.meta.url), 'utf8').matchAll(
      /^\| [^|]+ \| `(npm run [^`]* (\w+))` \|/gm,
    ),
  ].map(([, command = '', name = '']) => [name, command]),
)

/** Starts an example by its documented command and waits until it is open. */
export async function startExample(name: string, environment: Record<string, string>) {
  const port = environment['PORT'] ?? (await freePort())
  const url = `http://localhost:${port}`
  // A process group of its own, so that the shell and npm end with it.
  const child = spawn('sh', ['-c', startCommands.get(name) ?? 'false'], {
    cwd: repository,
    detached: true,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: String(port), ...environment },
  })
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(String(chunk)))
  const output = () => chunks.join('')
  const stop = async () => {
    if (child.pid === undefined || child.exitCode !== null) return
    const gone = once(child, 'exit')
    process.kill(-child.pid, 'SIGTERM')
    await gone
  }
  for (let waited_ms = 0; !output().includes(url) && child.exitCode === null; waited_ms += 50) {
    if (waited_ms > start_ms) {
      await stop()
      throw new Error(`The example ${name} did not start:\n${output()}`)
    }
    await sleep(50)
  }
  return { url, output, exitCode: () => child.exitCode, [Symbol.asyncDispose]: stop }
}

/** Unused now. The example is told, because it needs its own public address when it starts. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server has a port
  server.close()
  return port
}
