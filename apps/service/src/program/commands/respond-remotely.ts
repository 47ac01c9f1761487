import { z } from 'zod'
import { readVerificationUri } from '../../holder/index.ts'
import { send } from './call-service.ts'
import { CommandError, UsageError } from './command.ts'

type RemoteResponse = {
  wallet_uri: string
  persona: string
  fault?: string | undefined
  format?: string | undefined
  channel?: string | undefined
  origin?: string | undefined
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
export async function respondRemotely(
  request: RemoteResponse,
  base_url = readVerificationUri(request.wallet_uri)?.base_url,
): Promise<RemoteOutcome> {
  if (base_url === undefined)
    throw new UsageError('WALLET_URI must be the wallet_uri of a verification, or a URL of its service')
  const response = await send(`${base_url}/sandbox/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
    signal: AbortSignal.timeout(timeout_ms),
  })
  const text: unknown = await response.json().catch(() => undefined)
  const outcome = response.ok ? RemoteOutcome.safeParse(text) : undefined
  if (outcome?.success === true) return outcome.data
  const refusal = RefusedOutcome.safeParse(text).data?.error
  if (refusal?.code === 'not_found')
    throw new CommandError(
      `The sandbox wallet of ${base_url} is switched off. Create test verifications with a persona on its dashboard.`,
    )
  throw new CommandError(refusal?.message ?? `${base_url} returned status ${response.status}.`)
}
