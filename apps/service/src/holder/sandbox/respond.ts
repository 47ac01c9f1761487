import {
  type DcApiChannel,
  type Fault,
  type Fetch,
  type UnsignedCredential,
  createWallet,
  findFault,
  findPersona,
  respond,
  respondAsBrowser,
} from '@vidimus/sandbox'
import { Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { openSandboxIssuer } from '../../trust/index.ts'
import { findOpenVerification, getVerificationStatus, readCode } from '../../verifications/index.ts'

type SandboxRequest = {
  /** A link for wallets; over the Digital Credentials API, any URL of the verification. */
  wallet_uri: string
  /** Responds through the Digital Credentials API, as a browser would on a page of this origin. */
  channel?: DcApiChannel | undefined
  /** Default: the service's own origin. */
  origin?: string | undefined
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
export const latePersona = 'responds_late'

/**
 * Responds to a verification of this installation's test environment as a persona, over the real routes. `fetch` reaches only
 * those routes: whatever a `wallet_uri` names, nothing leaves the process.
 */
export async function respondInSandbox(
  ctx: Context,
  { wallet_uri, ...options }: SandboxRequest,
  fetch: Fetch,
): Promise<SandboxResponse> {
  const verification = readOwnVerification(ctx, wallet_uri)
  const persona = findPersona(options.persona)
  if (persona === undefined || persona.name === latePersona)
    throw new Refusal('invalid_request', 'persona: there is no such persona, or it does not respond here.')
  const fault = options.fault === undefined ? undefined : requireFault(options.fault)
  const { environment } = await findOpenVerification(ctx, verification.id)
  if (environment !== 'test')
    throw new Refusal(
      'invalid_request',
      'The sandbox responds only to verifications of the test environment.',
    )

  const now = () => new Date()
  const hasFormat = (credential: UnsignedCredential) =>
    (options.format ?? credential.format) === credential.format
  const response = {
    wallet: createWallet(persona, { issuer: await openSandboxIssuer(ctx), now: now(), filter: hasFormat }),
    fetch,
    now,
    sleep: () => Promise.reject(new Error('The sandbox page does not wait.')),
    behaviour: persona.behaviour,
    fault,
  }
  const { channel, origin = new URL(ctx.config.BASE_URL).origin } = options
  const responded =
    channel === undefined
      ? await respond({ ...response, wallet_uri })
      : await respondAsBrowser({ ...response, dc_uri: dcUri(verification), channel, origin })
  const { status } = await getVerificationStatus(ctx, verification.id)
  return responded.sent
    ? { status, http_status: responded.http_status, body: responded.body }
    : { status, complaints: responded.violations.map(({ rule, message }) => `${rule}: ${message}`) }
}

function requireFault(name: string): Fault {
  const fault = findFault(name)
  if (fault === undefined) throw new Refusal('invalid_request', 'fault: the sandbox has no such fault.')
  return fault
}

/** The verification of this installation that a wallet_uri refers to. */
function readOwnVerification(ctx: Context, wallet_uri: string): VerificationReference {
  const verification = readVerificationUri(wallet_uri)
  if (verification?.base_url !== ctx.config.BASE_URL)
    throw new Refusal(
      'invalid_request',
      'wallet_uri: must be the wallet_uri of a verification of this service.',
    )
  const { id } = verification
  return { ...verification, id: id.startsWith('vc_') ? readCode(ctx, id).id : id }
}

/** A verification, or a code that was on a screen for it, and the service that it belongs to. */
type VerificationReference = { base_url: string; id: string }

const verificationPath = /^(.*)\/(?:wallet\/(?:request|response|dc|code)|verify|v1\/verifications)\/([^/]+)$/

/**
 * The verification that a link for a wallet, or a URL of the service, refers to: a link with its `request_uri`, `av://` with its
 * `response_uri`, the holder's page, or the API's URL. Undefined if the text is none of these.
 */
export function readVerificationUri(text: string): VerificationReference | undefined {
  const url = URL.parse(text)
  const inside = url?.searchParams.get(url.protocol === 'av:' ? 'response_uri' : 'request_uri')
  const target = typeof inside === 'string' ? URL.parse(inside) : url
  if (target === null || (target.protocol !== 'https:' && target.protocol !== 'http:')) return undefined
  const [, prefix, id] = verificationPath.exec(target.pathname) ?? []
  return prefix === undefined || id === undefined ? undefined : { base_url: `${target.origin}${prefix}`, id }
}

/** Where the page of a verification fetches its requests for the Digital Credentials API, and posts the response. */
export function dcUri({ base_url, id }: VerificationReference): string {
  return `${base_url}/wallet/dc/${id}`
}
