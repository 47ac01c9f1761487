import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Budgets, Draw, Standing } from '../limits/budgets.ts'
import { Refusal } from '../refusal.ts'
import { budgetHolder } from './client-address.ts'
import type { Door } from './door.ts'
import type { Endpoint } from './endpoint.ts'

/**
 * What every request passes before a byte of its body is read, in this order: pressure, the budgets of its address and
 * session, authentication, scope, the budget of its key (AUTH-8). All budgets are drawn on in one round trip; the key's
 * answer waits until it is known whose key it is.
 */
export function guardOf(door: Door, { route, shedLast }: Endpoint) {
  const sessionParam =
    route.scope === undefined && route.params !== undefined ? Object.keys(route.params.shape)[0] : undefined

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    // On refusals too: a page has to be able to read them.
    if (route.any_origin === true) reply.header('access-control-allow-origin', '*')
    shed(door, shedLast ? 'last' : 'first')
    const token = route.scope === undefined ? undefined : bearerOf(request)
    const session = sessionParam === undefined ? undefined : namedSession(door, request, sessionParam)
    request.trail.session = session
    const standings =
      door.limiter.budgets === undefined ? [] : await draw(door, reply, drawsOf(request, token, session?.()))
    refuseSpent(door, standings, (standing) => standing.budget !== 'key')
    if (route.scope === undefined) return

    const principal = await door.authenticate(token)
    request.trail.principal = principal
    if (!principal.scopes.includes(route.scope)) {
      throw new Refusal('insufficient_scope', `This needs the scope ${route.scope}.`)
    }
    refuseSpent(door, standings, () => true)
  }
}

/** Late for everyone is worse than no for some. */
export function shed({ pressure, metrics }: Door, which: 'first' | 'last'): void {
  if (!pressure.exceeds(which)) return
  metrics.shedRequests.inc()
  throw new Refusal('overloaded', 'The service has too much to do. Try again in a moment.', 1)
}

const bearer = /^Bearer +([!-~]+) *$/i

export function bearerOf({ headers }: FastifyRequest): string | undefined {
  return bearer.exec(headers.authorization ?? '')?.[1]
}

/**
 * A session's id is a capability: only its keyed hash leaves this place, to Redis and to the log (GEN-9). Made when one of
 * them first asks.
 */
function namedSession(
  { keyring }: Door,
  { params }: FastifyRequest,
  name: string,
): (() => string) | undefined {
  const id = (params as Record<string, string | undefined>)[name] // Fastify's own parameters are strings
  if (id === undefined) return undefined
  let hashed: string | undefined
  return () => (hashed ??= keyring.mac('session in logs', id).toString('base64url', 0, 16))
}

function drawsOf(request: FastifyRequest, token: string | undefined, session: string | undefined): Draw[] {
  const draws: Draw[] = [{ budget: 'ip', holder: budgetHolder(request.ip) }]
  if (session !== undefined) draws.push({ budget: 'session', holder: session })
  if (token !== undefined) {
    draws.push({ budget: 'key', holder: hash('sha256', token, 'base64url').slice(0, 22) })
  }
  return draws
}

/** Draws on budgets and tells the caller where they stand (LIMIT-4). */
export async function draw(
  { limiter }: Door,
  reply: FastifyReply,
  draws: Draw[],
): Promise<readonly Standing[]> {
  const { budgets } = limiter
  if (budgets === undefined) return []
  const standings = await limiter.draw(draws)
  tell(reply, standings, budgets)
  return standings
}

export function refuseSpent(
  { limiter, metrics }: Door,
  standings: readonly Standing[],
  asked: (standing: Standing) => boolean,
): void {
  for (const standing of standings) {
    if (left(standing, limiter.budgets) >= 0 || !asked(standing)) continue
    metrics.rateLimited.inc({ budget: standing.budget })
    throw new Refusal(
      'rate_limit_exceeded',
      'Too many requests. Try again in a moment.',
      resetSeconds(standing),
    )
  }
}

function tell(reply: FastifyReply, standings: readonly Standing[], budgets: Budgets): void {
  let standing = ''
  let policy = ''
  for (const each of standings) {
    const { requests, seconds } = budgets[each.budget]
    const comma = standing === '' ? '' : ', '
    standing += `${comma}"${each.budget}";r=${Math.max(0, left(each, budgets))};t=${resetSeconds(each)}`
    policy += `${comma}"${each.budget}";q=${requests};w=${seconds}`
  }
  reply.header('ratelimit', standing).header('ratelimit-policy', policy)
}

function left({ budget, used }: Standing, budgets: Budgets | undefined): number {
  return budgets === undefined ? 0 : budgets[budget].requests - used
}

function resetSeconds({ reset_ms }: Standing): number {
  return Math.max(1, Math.ceil(reset_ms / 1000))
}
