import { z } from 'zod'
import { readVerificationUri } from '../../holder/index.ts'
import { CommandError, UsageError } from './command.ts'

type RemoteResponse = {
  wallet_uri: string
  persona: string
  fault: string | undefined
  format: string | undefined
  channel: string | undefined
  origin: string | undefined
}

/** What the sandbox wallet of the service did. Without `http_status` it did not respond, and `complaints` has the reasons. */
export type RemoteOutcome = z.infer<typeof RemoteOutcome>
const RemoteOutcome = z.object({
  http_status: z.int().optional(),
  body: z.string().optional(),
  complaints: z.array(z.string()).optional(),
})
const RefusedOutcome = z.object({ error: z.object({ code: z.string(), message: z.string() }) })

const timeout_ms = 30_000

/** Has the sandbox wallet of a service respond. A merchant's developer has no access to its database, where the sandbox issuer is. */
export async function respondRemotely(request: RemoteResponse): Promise<RemoteOutcome> {
  const verification = readVerificationUri(request.wallet_uri)
  if (verification === undefined)
    throw new UsageError('WALLET_URI must be the wallet_uri of a verification, or a URL of its service')
  const response = await send(`${verification.base_url}/sandbox/responses`, JSON.stringify(request))
  const text: unknown = await response.json().catch(() => undefined)
  const outcome = response.ok ? RemoteOutcome.safeParse(text) : undefined
  if (outcome?.success === true) return outcome.data
  const refusal = RefusedOutcome.safeParse(text).data?.error
  if (refusal?.code === 'not_found')
    throw new CommandError(
      `The sandbox wallet of ${verification.base_url} is switched off. Create test verifications with a persona on its dashboard.`,
    )
  throw new CommandError(refusal?.message ?? `${verification.base_url} returned status ${response.status}.`)
}

async function send(url: string, body: string): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  try {
    // oxlint-disable-next-line no-restricted-globals -- a command calls the service that it was given
    return await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeout_ms) })
  } catch (error) {
    // fetch throws if it cannot connect, with the reason as its cause.
    const { cause } = error instanceof Error ? error : {}
    const reason = cause instanceof Error ? cause.message : String(error)
    throw new CommandError(`Can't connect to ${new URL(url).origin}: ${reason}`)
  }
}
