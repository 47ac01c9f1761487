import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Draw, Standing } from '../limits/budgets.ts'
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
    if (door.pressure.exceeds(shedLast ? 'last' : 'first')) {
      door.metrics.shedRequests.inc()
      throw new Refusal('overloaded', 'The service has too much to do. Try again in a moment.', 1)
    }
    const token = route.scope === undefined ? undefined : bearerOf(request)
    const session = sessionOf(door, request, sessionParam)
    if (session !== undefined) request.trail.session = session
    const standings = await draw(door, reply, drawsOf(request, token, session))
    refuseSpent(
      door,
      standings.filter(({ budget }) => budget !== 'key'),
    )
    if (route.scope === undefined) return

    const principal = await door.authenticate(token)
    request.trail.principal = principal
    if (!principal.scopes.includes(route.scope)) {
      throw new Refusal('insufficient_scope', `This needs the scope ${route.scope}.`)
    }
    refuseSpent(door, standings)
  }
}

const bearer = /^Bearer +([!-~]+) *$/i

function bearerOf({ headers }: FastifyRequest): string | undefined {
  return bearer.exec(headers.authorization ?? '')?.[1]
}

/** A session's id is a capability: only its keyed hash leaves this place, to Redis and to the log (GEN-9). */
function sessionOf(
  { keyring }: Door,
  { params }: FastifyRequest,
  name: string | undefined,
): string | undefined {
  if (name === undefined) return undefined
  const id = (params as Record<string, string | undefined>)[name] // Fastify's own parameters are strings
  return id === undefined ? undefined : keyring.mac('session in logs', id).toString('base64url', 0, 16)
}

function drawsOf(request: FastifyRequest, token: string | undefined, session: string | undefined): Draw[] {
  const draws: Draw[] = [{ budget: 'ip', holder: budgetHolder(request.ip) }]
  if (session !== undefined) draws.push({ budget: 'session', holder: session })
  if (token !== undefined) {
    draws.push({ budget: 'key', holder: hash('sha256', token, 'base64url').slice(0, 22) })
  }
  return draws
}

/** Draws on the budgets and tells the caller where it stands (LIMIT-4). */
async function draw({ limiter }: Door, reply: FastifyReply, draws: Draw[]): Promise<Stand[]> {
  const { budgets } = limiter
  if (budgets === undefined) return []
  const standings = (await limiter.draw(draws)).map(({ budget, used, reset_ms }) => ({
    budget,
    left: budgets[budget].requests - used,
    reset_seconds: Math.max(1, Math.ceil(reset_ms / 1000)),
  }))
  reply.header(
    'ratelimit',
    standings
      .map(({ budget, left, reset_seconds }) => `"${budget}";r=${Math.max(0, left)};t=${reset_seconds}`)
      .join(', '),
  )
  reply.header(
    'ratelimit-policy',
    standings
      .map(({ budget }) => `"${budget}";q=${budgets[budget].requests};w=${budgets[budget].seconds}`)
      .join(', '),
  )
  return standings
}

type Stand = { budget: Standing['budget']; left: number; reset_seconds: number }

function refuseSpent({ metrics }: Door, standings: Stand[]): void {
  const spent = standings.find(({ left }) => left < 0)
  if (spent === undefined) return
  metrics.rateLimited.inc({ budget: spent.budget })
  throw new Refusal('rate_limit_exceeded', 'Too many requests. Try again in a moment.', spent.reset_seconds)
}
