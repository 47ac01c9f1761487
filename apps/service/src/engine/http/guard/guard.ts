import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { may } from '@vidimus/contract'
import type { Member } from '../../basics/principal.ts'
import { Refusal } from '../../basics/refusal.ts'
import { hashForLog } from '../../observability/verification-hash.ts'
import { readCookie } from '../../formats/cookies.ts'
import type { RateLimitKey } from '../../limits/limiter.ts'
import type { DashboardEndpoint, Endpoint, HttpContext } from '../endpoint.ts'
import { callerKeys, countRequest, limitRequest, refuseExceeded } from './rate-limit.ts'
import { continueAsTenant, takeTurn } from './take-turn.ts'

type GuardedEndpoint = Pick<Endpoint, 'route' | 'shedLast' | 'allowsOrigin' | 'limitedByAddress' | 'changes'>

/**
 * The checks of every request before its body is read, in this order: its owner's turn, the rate limits of its address and verification,
 * authentication, scope, the rate limit of its key (AUTH-8). All limits are counted in one round trip; the key's limit is
 * enforced only after the key was authenticated.
 */
export function createGuard(
  http: HttpContext,
  { route, shedLast, allowsOrigin, limitedByAddress = false, changes = false }: GuardedEndpoint,
) {
  const verificationParam =
    route.scope === undefined && route.params !== undefined && !limitedByAddress
      ? Object.keys(route.params.shape)[0]
      : undefined

  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    // On errors too, so that a page can read them.
    if (route.any_origin === true) reply.header('access-control-allow-origin', '*')
    // Its response depends on the origin, also if that is absent.
    if (allowsOrigin !== undefined) reply.header('vary', 'Origin')
    const token = route.scope === undefined ? undefined : readBearerToken(request)
    // Hashed once, for its turn, for the limit of the key and for its lookup.
    const tokenHash = token === undefined ? undefined : hash('sha256', token)
    const check = () => checkCaller(request, reply, { token, tokenHash })
    takeTurn(http, request, { tokenHash, shedLast, check, done })
  }

  async function checkCaller(
    request: FastifyRequest,
    reply: FastifyReply,
    { token, tokenHash }: { token: string | undefined; tokenHash: string | undefined },
  ): Promise<void> {
    const verification =
      verificationParam === undefined ? undefined : hashVerificationId(http, request, verificationParam)
    request.requestContext.verification = verification
    const keys = callerKeys(request, { tokenHash, verification })
    const states = await countRequest(http, reply, keys)
    await refuseExceeded(http, states, (state) => state.limit !== 'key')
    if (route.scope === undefined) return

    const principal = await http.authenticate(token, tokenHash)
    request.requestContext.principal = principal
    if (!principal.scopes.includes(route.scope)) {
      throw new Refusal('insufficient_scope', `This request needs the scope ${route.scope}.`)
    }
    await refuseExceeded(http, states)
    const turn = continueAsTenant(principal.tenant_id, tokenHash)
    if (turn !== undefined) await turn
    if (changes) await limitRequest(http, reply, [{ limit: 'tenant', owner: principal.tenant_id }])
  }
}

const bearerPattern = /^Bearer +([!-~]+) *$/i

export function readBearerToken({ headers }: FastifyRequest): string | undefined {
  return bearerPattern.exec(headers.authorization ?? '')?.[1]
}

/** A verification id is a capability, so only its keyed hash reaches Redis and the log (GEN-9). */
function hashVerificationId(
  { keyring }: HttpContext,
  { params }: FastifyRequest,
  name: string,
): string | undefined {
  const id = (params as Record<string, string | undefined>)[name] // Fastify's own parameters are strings
  return id === undefined ? undefined : hashForLog(keyring, id)
}

/**
 * The checks of every dashboard request before its body is read: its owner's turn, origin, the rate limits of its address and session, the
 * session, the member's role, and their confirmation.
 */
export function createDashboardGuard(http: HttpContext, { route }: DashboardEndpoint) {
  const origin = new URL(http.config.BASE_URL).origin

  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const token = readCookie(http.config, 'session', request.headers.cookie)
    const tokenHash = token === undefined ? undefined : hash('sha256', token)
    const check = () => checkMember(request, reply, { token, tokenHash })
    takeTurn(http, request, { tokenHash, check, done })
  }

  async function checkMember(
    request: FastifyRequest,
    reply: FastifyReply,
    { token, tokenHash }: { token: string | undefined; tokenHash: string | undefined },
  ): Promise<void> {
    if (route.cross_site !== true) refuseOtherOrigins(request, origin)
    await limitRequest(http, reply, callerKeys(request, { tokenHash }))
    const signedIn = token === undefined ? undefined : await http.findSession(token)
    if (signedIn !== undefined) {
      request.requestContext.principal = signedIn.member
      const turn = continueAsTenant(signedIn.member.tenant_id, tokenHash)
      if (turn !== undefined) await turn
    }
    if (route.may === 'anyone') return
    if (signedIn === undefined) throw new Refusal('not_signed_in', 'Sign in to continue.')
    const { member, confirmed } = signedIn
    if (route.may !== 'signed_in' && !may(member.role, route.may)) throw roleNotAllowed(member)
    if (route.confirmed === true && !confirmed) throw confirmationRequired()
    if (route.method !== 'GET') await limitRequest(http, reply, writeKeys(member))
  }
}

/**
 * Browsers send `Origin` with every request that can change something and `Sec-Fetch-Site` with every request; a page of another
 * site can forge neither. A client that sends neither is not a browser, so no page can misuse its session; its changes are
 * refused nevertheless.
 */
export function refuseOtherOrigins({ method, headers }: FastifyRequest, origin: string): void {
  const site = headers['sec-fetch-site'] ?? 'none'
  const isRead = method === 'GET' || method === 'HEAD'
  const isOwnOrigin = isRead
    ? (site === 'same-origin' || site === 'none') && [undefined, origin].includes(headers.origin)
    : headers.origin === origin && (headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin'
  if (!isOwnOrigin) throw new Refusal('wrong_origin', `This request must come from a page of ${origin}.`)
}

/** The counters for changes. A member id is unique across tenants. */
function writeKeys({ member_id, tenant_id }: Member): RateLimitKey[] {
  return [
    { limit: 'member', owner: member_id },
    { limit: 'tenant', owner: tenant_id },
  ]
}

export function roleNotAllowed({ role }: { role: string }): Refusal {
  return new Refusal('role_not_allowed', `The role ${role} does not allow this.`)
}

export function confirmationRequired(): Refusal {
  return new Refusal(
    'confirmation_required',
    'Confirm that it is you: use your passkey, or sign in at your provider again.',
  )
}
