import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { HostileRequestsSummary } from './send-hostile-requests.ts'
import type { ChaosRun } from '../chaos-run.ts'

const run = promisify(execFile)

/**
 * Sends requests to non-public addresses, in every spelling and through names whose addresses change (DNS rebinding), and
 * has `strace` record every `connect` of the process. `lost` counts connections to anything but the name server and the one
 * allowed receiver. A first pass with private addresses allowed shows that the trace would record such connections.
 */
export const privateAddresses: ChaosRun = async ({ n = 5000 }) => {
  const unguarded = await trace(n, 'unguarded')
  if (unguarded.unexpected.length === 0) throw new Error('strace recorded no connection to a private address')

  const { summary, unexpected } = await trace(n, 'guarded')
  for (const address of unexpected.slice(0, 10)) process.stderr.write(`connected to ${address}\n`)
  return {
    name: 'egress',
    faults: summary.hostile,
    acknowledged: summary.responded,
    lost: unexpected.length + summary.not_refused + (summary.friendly - summary.responded),
    duplicated: 0,
  }
}

async function trace(n: number, guard: 'guarded' | 'unguarded') {
  const folder = await mkdtemp(join(tmpdir(), 'vidimus-egress-'))
  const file = join(folder, 'connects')
  const script = new URL('./send-hostile-requests.ts', import.meta.url).pathname
  try {
    const strace = [
      '-f',
      '-qq',
      '-e',
      'trace=connect',
      '-o',
      file,
      process.execPath,
      script,
      String(n),
      guard,
    ]
    const { stdout } = await run('strace', strace, { maxBuffer: 2 ** 20 })
    const summary: HostileRequestsSummary = JSON.parse(stdout)
    const connected = (await readFile(file, 'utf8')).split('\n').map(connectedAddress)
    return {
      summary,
      unexpected: connected.filter((address) => address !== undefined && !summary.expected.includes(address)),
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Parses address and port from a line such as `connect(21, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("…")}, 16) = 0`. */
function connectedAddress(line: string): string | undefined {
  const port = /htons\((\d+)\)/.exec(line)?.[1]
  const address = /inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"/.exec(line)
  return port === undefined ? undefined : `${address?.[1] ?? address?.[2]} ${port}`
}
