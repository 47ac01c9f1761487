import {
  findFault,
  findPersona,
  respond,
  createWallet,
  type Fetch,
  type UnsignedCredential,
} from '@vidimus/sandbox'
import type { Context } from '../context.ts'
import { Refusal } from '../platform/refusal.ts'
import { openSandboxIssuer } from '../trust/sandbox/open-issuer.ts'
import { findOpenSession } from '../verifications/wallet/find-open-session.ts'
import { getVerificationStatus } from '../verifications/read/get-status.ts'

export type SandboxRequest = {
  wallet_uri: string
  /** The name of a sandbox persona. */
  persona: string
  /** The name of a sandbox fault, if the wallet should do something wrong. */
  fault?: string | undefined
  format?: UnsignedCredential['format'] | undefined
}

/** What the service replied to its own wallet, and the resulting status of the verification. */
export type SandboxResponse = {
  status: 'pending' | 'completed' | 'failed' | 'expired'
  /** Absent if the wallet had no suitable credential or rejected the request. */
  http_status?: number
  body?: string
  complaints?: string[]
}

/** Waits until its request has expired, which a web page cannot do. */
export const latePersona = 'answers_late'

/**
 * Responds to a verification of this installation's test environment as a persona, over the real routes. `fetch` reaches only
 * those routes: whatever a `wallet_uri` names, nothing leaves the process.
 */
export async function respondInSandbox(
  ctx: Context,
  { wallet_uri, ...options }: SandboxRequest,
  fetch: Fetch,
): Promise<SandboxResponse> {
  const id = readSessionId(ctx, wallet_uri)
  const persona = findPersona(options.persona)
  if (persona === undefined || persona.name === latePersona)
    throw new Refusal('invalid_request', 'persona: there is no such persona, or it does not respond here.')
  const fault = options.fault === undefined ? undefined : findFault(options.fault)
  if (options.fault !== undefined && fault === undefined)
    throw new Refusal('invalid_request', 'fault: the sandbox has no such fault.')
  const session = await findOpenSession(ctx, id)
  if (session.environment !== 'test')
    throw new Refusal(
      'invalid_request',
      'The sandbox responds only to verifications of the test environment.',
    )

  const now = () => new Date()
  const hasFormat = (credential: UnsignedCredential) =>
    (options.format ?? credential.format) === credential.format
  const responded = await respond({
    wallet: createWallet(persona, { issuer: await openSandboxIssuer(ctx), now: now(), filter: hasFormat }),
    wallet_uri,
    fetch,
    now,
    sleep: () => Promise.reject(new Error('The sandbox page does not wait.')),
    behaviour: persona.behaviour ?? 'answers',
    ...(fault !== undefined && { fault }),
  })
  const { status } = await getVerificationStatus(ctx, id)
  return responded.answered
    ? { status, http_status: responded.http_status, body: responded.body }
    : { status, complaints: responded.violations.map(({ rule, message }) => `${rule}: ${message}`) }
}

const requestPath = /^\/wallet\/request\/([^/]+)$/

/** The id of the session that a wallet_uri of this installation refers to. */
function readSessionId({ config }: Context, wallet_uri: string): string {
  const request_uri = URL.parse(wallet_uri)?.searchParams.get('request_uri') ?? ''
  const path = request_uri.startsWith(`${config.BASE_URL}/`) ? request_uri.slice(config.BASE_URL.length) : ''
  const id = requestPath.exec(path)?.[1]
  if (id === undefined)
    throw new Refusal(
      'invalid_request',
      'wallet_uri: must be the wallet_uri of a verification of this service.',
    )
  return id
}
