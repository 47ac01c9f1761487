import { hash } from 'node:crypto'
import { may } from '@vidimus/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Draw } from '../limits/budgets.ts'
import type { Member } from '../principal.ts'
import { Refusal } from '../refusal.ts'
import { budgetHolder } from './client-address.ts'
import type { Door } from './door.ts'
import type { DashboardEndpoint } from './endpoint.ts'
import { draw, refuseSpent, shed } from './guard.ts'
import { readCookie } from './session-cookie.ts'

/**
 * What every request of the dashboard passes before a byte of its body is read: pressure, where it comes from, the budgets
 * of its address and session, the session, and what its member's role allows.
 */
export function dashboardGuardOf(door: Door, { route }: DashboardEndpoint) {
  const origin = new URL(door.config.BASE_URL).origin

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    shed(door, 'first')
    if (route.from_elsewhere !== true) refuseOtherOrigins(request, origin)
    const session = readCookie(door.config, 'session', request.headers.cookie)
    refuseSpent(door, await draw(door, reply, drawsOf(request, session)), () => true)
    const member = session === undefined ? undefined : await door.findMember(session)
    if (member !== undefined) request.trail.principal = member
    if (route.may === 'anyone') return
    if (member === undefined) throw new Refusal('not_signed_in', 'Sign in to go on.')
    if (route.may !== 'signed_in' && !may(member.role, route.may)) throw notAllowed(member)
    if (route.method !== 'GET') refuseSpent(door, await draw(door, reply, writesOf(member)), () => true)
  }
}

/**
 * A browser names the origin of every request that can change something, and says of every request whether it comes from
 * our own pages; a page elsewhere can change neither header. Whoever sends neither is no browser, and has no session that
 * a page could misuse; a change is refused to it all the same.
 */
function refuseOtherOrigins({ method, headers }: FastifyRequest, origin: string): void {
  const site = headers['sec-fetch-site'] ?? 'none'
  const reads = method === 'GET' || method === 'HEAD'
  const ours = reads
    ? (site === 'same-origin' || site === 'none') && [undefined, origin].includes(headers.origin)
    : headers.origin === origin && (headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin'
  if (!ours) throw new Refusal('wrong_origin', `This is for the pages of ${origin}.`)
}

function drawsOf({ ip }: FastifyRequest, session: string | undefined): Draw[] {
  const draws: Draw[] = [{ budget: 'ip', holder: budgetHolder(ip) }]
  if (session !== undefined)
    draws.push({ budget: 'key', holder: hash('sha256', session, 'base64url').slice(0, 22) })
  return draws
}

/** Whose changes a request counts among. The id of a member is unique over all tenants. */
function writesOf({ member_id, tenant_id }: Member): Draw[] {
  return [
    { budget: 'member', holder: member_id },
    { budget: 'tenant', holder: tenant_id },
  ]
}

function notAllowed({ role }: Member): Refusal {
  return new Refusal('role_not_allowed', `The role ${role} does not allow this.`)
}
