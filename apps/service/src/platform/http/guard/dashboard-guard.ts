import { hash } from 'node:crypto'
import { may } from '@vidimus/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RateLimitKey } from '../../limits/rate-limits.ts'
import type { Member } from '../../principal.ts'
import { Refusal } from '../../refusal.ts'
import type { HttpContext } from '../http-context.ts'
import type { DashboardEndpoint } from '../endpoint.ts'
import { shedLoad } from './guard.ts'
import { callerKeys, limitRequest } from './rate-limit.ts'
import { readCookie } from '../../cookies.ts'

/**
 * The checks of every dashboard request before its body is read: load, origin, the rate limits of its address and session, the
 * session, and the member's role.
 */
export function createDashboardGuard(http: HttpContext, { route }: DashboardEndpoint) {
  const origin = new URL(http.config.BASE_URL).origin

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    shedLoad(http, 'first')
    if (route.cross_site !== true) refuseOtherOrigins(request, origin)
    const session = readCookie(http.config, 'session', request.headers.cookie)
    const tokenHash = session === undefined ? undefined : hash('sha256', session)
    await limitRequest(http, reply, callerKeys(request, { tokenHash }))
    const member = session === undefined ? undefined : await http.findMember(session)
    if (member !== undefined) request.requestContext.principal = member
    if (route.may === 'anyone') return
    if (member === undefined) throw new Refusal('not_signed_in', 'Sign in to continue.')
    if (route.may !== 'signed_in' && !may(member.role, route.may)) throw roleNotAllowed(member)
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
