import { get } from 'node:http'
import { listeningAddresses } from '../../engine/config/index.ts'
import { command, CommandError } from './command.ts'

const timeout_ms = 3000

/** For container health checks: one command that is right for every role of the image. Orchestrators that can send requests need no process for it. */
export const healthCommand = command({
  options: {},
  async run() {
    const { service, metrics } = listeningAddresses()
    // A worker has no public port; its health is on the metrics port, where `serve` has none.
    const status = (await askHealth(service)) ?? (metrics && (await askHealth(metrics)))
    if (status === undefined)
      throw new CommandError(
        `Neither serve nor work responds at ${[service, metrics].filter(Boolean).join(' or ')}.`,
      )
    if (status !== 200) throw new CommandError(`/healthz responds with ${status}.`)
  },
})

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
