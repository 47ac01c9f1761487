import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { HostileRequestsSummary } from './send-hostile-requests.ts'
import type { ChaosRun } from '../chaos-run.ts'

const run = promisify(execFile)

/**
 * Sends requests to addresses that are not public, in every spelling and by names that change their mind, and lets the
 * kernel say what was connected to: `strace` notes every `connect` of the process. `lost` counts the connections to
 * anything but the name server and the one receiver that is allowed. First the guard is lifted for some, to see that
 * the trace would have shown them.
 */
export const privateAddresses: ChaosRun = async ({ n = 5000 }) => {
  const unguarded = await trace(n, 'unguarded')
  if (unguarded.strays.length === 0) throw new Error('the trace does not see what it should')

  const { told: summary, strays: unexpected } = await trace(n, 'guarded')
  for (const address of unexpected.slice(0, 10)) process.stderr.write(`connected to ${address}\n`)
  return {
    name: 'egress',
    faults: summary.hostile,
    acknowledged: summary.answered,
    lost: unexpected.length + summary.not_refused + (summary.friendly - summary.answered),
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
      told: summary,
      strays: connected.filter((address) => address !== undefined && !summary.expected.includes(address)),
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The address and port of a line such as `connect(21, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("…")}, 16) = 0`. */
function connectedAddress(line: string): string | undefined {
  const port = /htons\((\d+)\)/.exec(line)?.[1]
  const address = /inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"/.exec(line)
  return port === undefined ? undefined : `${address?.[1] ?? address?.[2]} ${port}`
}
