import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { listeningAddresses } from '../../engine/config/index.ts'
import { command, CommandError, UsageError } from './command.ts'

const timeout_ms = 3000
const pause_ms = 200

/** For container health checks: one command that is right for every role of the image. Orchestrators that can send requests need no process for it. */
export const healthCommand = command({
  options: {
    wait: { type: 'string', description: 'seconds to wait for it, up to 600 (default: 0)' },
  },
  async run({ values }) {
    const addresses = listeningAddresses()
    const deadline_ms = performance.now() + 1000 * parseWait(values.wait ?? '0')
    for (;;) {
      try {
        return await checkHealth(addresses)
      } catch (error) {
        if (!(error instanceof CommandError) || performance.now() >= deadline_ms) throw error
        await sleep(pause_ms)
      }
    }
  },
})

function parseWait(given: string): number {
  if (!/^\d{1,3}$/.test(given) || Number(given) > 600) throw new UsageError('--wait must be 0 to 600 seconds')
  return Number(given)
}

async function checkHealth({ service, metrics }: ReturnType<typeof listeningAddresses>): Promise<void> {
  // A worker has no public port; its health is on the metrics port, where `serve` has none.
  const status = (await askHealth(service)) ?? (metrics && (await askHealth(metrics)))
  if (status === undefined)
    throw new CommandError(
      `Neither serve nor work responds at ${[service, metrics].filter(Boolean).join(' or ')}.`,
    )
  if (status !== 200) throw new CommandError(`/healthz responds with ${status}.`)
}

/** The status of `/healthz`, or undefined if nothing listens there. */
function askHealth(address: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(`${address}/healthz`, { signal: AbortSignal.timeout(timeout_ms), agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', (error) => {
      if ('code' in error && error.code === 'ECONNREFUSED') resolve(undefined)
      else reject(new CommandError(`${address}/healthz does not respond: ${error.message}.`))
    })
  })
}
