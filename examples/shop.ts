import { existsSync } from 'node:fs'
import { ApiError, ConnectionError, createClient } from '@vidimus/sdk'

// What `vidimus dev` wrote, if it runs on this machine. Variables that are set already take precedence.
const devFile = new URL('../.vidimus/dev.env', import.meta.url)
if (existsSync(devFile)) process.loadEnvFile(devFile)

/**
 * What every example needs besides its framework. `vidimus dev` writes the first three variables to `.vidimus/dev.env`. PUBLIC_URL is the
 * address at which the service can reach this shop; without it, use `vidimus listen` to receive webhooks on your machine.
 */
const {
  VIDIMUS_URL = '',
  VIDIMUS_KEY = '',
  VIDIMUS_WEBHOOK_SECRET = '',
  PUBLIC_URL,
  PORT = '3000',
} = process.env

const missing = Object.entries({ VIDIMUS_URL, VIDIMUS_KEY, VIDIMUS_WEBHOOK_SECRET })
  .filter(([, value]) => value === '')
  .map(([name]) => name)
if (missing.length > 0) {
  console.error(
    `Set ${missing.join(', ')}, or start \`npm run -s vidimus -- dev\` first: it writes them to .vidimus/dev.env.`,
  )
  process.exit(1)
}

export const serviceUrl = VIDIMUS_URL
export const webhookSecret = VIDIMUS_WEBHOOK_SECRET
export const port = Number(PORT)

const vidimus = createClient({ baseUrl: VIDIMUS_URL, apiKey: VIDIMUS_KEY })

export async function createCheck() {
  const verification = await vidimus.verifications.create({
    template: 'age_over_18',
    purpose: 'Age check for your order',
    ...(PUBLIC_URL && { webhook_url: `${PUBLIC_URL}/webhooks/vidimus` }),
  })
  const { id, wallet_uri } = verification
  return { id, wallet_uri, pageUrl: vidimus.verifications.pageUrl(verification) }
}

/** Why a check could not be created, in a sentence for the developer. Undefined for a mistake in the program itself. */
export function explainFailure(error: unknown): string | undefined {
  if (error instanceof ApiError)
    return `The verification was refused: ${error.message} (request ${error.requestId})`
  if (error instanceof ConnectionError) return `${VIDIMUS_URL} cannot be reached: ${error.message}`
  return undefined
}

/** Called when the shop is open, or with the reason why it is not. */
export function announce(error?: Error | null): void {
  if (error) {
    console.error(`Can't open port ${port}: ${error.message}. Choose another one with PORT.`)
    process.exit(1)
  }
  console.log(`The shop is open at http://localhost:${port}`)
  if (PUBLIC_URL === undefined)
    console.log(`To receive webhooks: vidimus listen --forward-to http://localhost:${port}/webhooks/vidimus`)
}
