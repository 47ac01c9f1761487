import { hash } from 'node:crypto'
import { may } from '@vidimus/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RateLimitKey } from '../../limits/rate-limits.ts'
import type { Member } from '../../principal.ts'
import { Refusal } from '../../refusal.ts'
import { addressKey } from './client-address.ts'
import type { HttpContext } from '../http-context.ts'
import type { DashboardEndpoint } from '../endpoint.ts'
import { countRequest, refuseExceeded, shedLoad } from './guard.ts'
import { readCookie } from './session-cookie.ts'

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
    refuseExceeded(http, await countRequest(http, reply, rateLimitKeys(request, session)), () => true)
    const member = session === undefined ? undefined : await http.findMember(session)
    if (member !== undefined) request.requestContext.principal = member
    if (route.may === 'anyone') return
    if (member === undefined) throw new Refusal('not_signed_in', 'Sign in to continue.')
    if (route.may !== 'signed_in' && !may(member.role, route.may)) throw roleNotAllowed(member)
    if (route.method !== 'GET')
      refuseExceeded(http, await countRequest(http, reply, writeRateLimitKeys(member)), () => true)
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

function rateLimitKeys({ ip }: FastifyRequest, session: string | undefined): RateLimitKey[] {
  const keys: RateLimitKey[] = [{ limit: 'ip', owner: addressKey(ip) }]
  if (session !== undefined)
    keys.push({ limit: 'key', owner: hash('sha256', session, 'base64url').slice(0, 22) })
  return keys
}

/** The counters for changes. A member id is unique across tenants. */
function writeRateLimitKeys({ member_id, tenant_id }: Member): RateLimitKey[] {
  return [
    { limit: 'member', owner: member_id },
    { limit: 'tenant', owner: tenant_id },
  ]
}

function roleNotAllowed({ role }: Member): Refusal {
  return new Refusal('role_not_allowed', `The role ${role} does not allow this.`)
}
