import { hash } from 'node:crypto'
import { may } from '@vidimus/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RateLimitKey } from '../../limits/rate-limits.ts'
import type { Member } from '../../basics/principal.ts'
import { Refusal } from '../../basics/refusal.ts'
import type { HttpContext } from '../http-context.ts'
import type { DashboardEndpoint } from '../endpoint.ts'
import { callerKeys, limitRequest } from './rate-limit.ts'
import { continueAsTenant, takeTurn } from './take-turn.ts'
import { readCookie } from '../../formats/cookies.ts'

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
    const session = token === undefined ? undefined : await http.findSession(token)
    if (session !== undefined) {
      request.requestContext.principal = session.member
      const turn = continueAsTenant(session.member.tenant_id, tokenHash)
      if (turn !== undefined) await turn
    }
    if (route.may === 'anyone') return
    if (session === undefined) throw new Refusal('not_signed_in', 'Sign in to continue.')
    const { member, confirmed } = session
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
function refuseOtherOrigins({ method, headers }: FastifyRequest, origin: string): void {
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

function roleNotAllowed({ role }: Member): Refusal {
  return new Refusal('role_not_allowed', `The role ${role} does not allow this.`)
}

function confirmationRequired(): Refusal {
  return new Refusal(
    'confirmation_required',
    'Confirm that it is you: use your passkey, or sign in at your provider again.',
  )
}
