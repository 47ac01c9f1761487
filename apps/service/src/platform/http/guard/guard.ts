import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RateLimitState } from '../../limits/rate-limits.ts'
import { Refusal } from '../../refusal.ts'
import type { HttpContext } from '../http-context.ts'
import type { Endpoint } from '../endpoint.ts'
import { callerKeys, countRequest, refuseExceeded } from './rate-limit.ts'

/**
 * The checks of every request before its body is read, in this order: load, the rate limits of its address and session,
 * authentication, scope, the rate limit of its key (AUTH-8). All limits are counted in one round trip; the key's limit is
 * enforced only after the key was authenticated.
 */
export function createGuard(
  http: HttpContext,
  { route, shedLast, allowsOrigin, limitedByAddress = false }: Endpoint,
) {
  const sessionParam =
    route.scope === undefined && route.params !== undefined && !limitedByAddress
      ? Object.keys(route.params.shape)[0]
      : undefined

  // Not async: a request that waits for nothing goes on in the same turn.
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    // On errors too, so that a page can read them.
    if (route.any_origin === true) reply.header('access-control-allow-origin', '*')
    // Its response depends on the origin, also if that is absent.
    if (allowsOrigin !== undefined) reply.header('vary', 'Origin')
    shedLoad(http, shedLast ? 'last' : 'first')
    const token = route.scope === undefined ? undefined : readBearerToken(request)
    // Hashed once, for the limit of the key and for its lookup.
    const tokenHash = token === undefined ? undefined : hash('sha256', token)
    const session = sessionParam === undefined ? undefined : hashSessionId(http, request, sessionParam)
    request.requestContext.session = session
    const counting =
      http.limiter.limits === undefined
        ? []
        : countRequest(http, reply, callerKeys(request, { tokenHash, session: session?.() }))
    if (route.scope === undefined && !(counting instanceof Promise)) {
      refuseExceeded(http, counting)
      done()
    }
    // oxlint-disable-next-line promise/no-callback-in-promise -- the framework's callback
    else authorize(request, counting, { token, tokenHash }).then(() => done(), done)
  }

  async function authorize(
    request: FastifyRequest,
    counting: readonly RateLimitState[] | Promise<readonly RateLimitState[]>,
    { token, tokenHash }: { token: string | undefined; tokenHash: string | undefined },
  ): Promise<void> {
    const states = counting instanceof Promise ? await counting : counting
    refuseExceeded(http, states, (state) => state.limit !== 'key')
    if (route.scope === undefined) return

    const principal = await http.authenticate(token, tokenHash)
    request.requestContext.principal = principal
    if (!principal.scopes.includes(route.scope)) {
      throw new Refusal('insufficient_scope', `This request needs the scope ${route.scope}.`)
    }
    refuseExceeded(http, states)
  }
}

/** Refusing some requests is better than delaying all of them. */
export function shedLoad({ pressure, metrics }: HttpContext, which: 'first' | 'last'): void {
  if (!pressure.exceeds(which)) return
  metrics.shedRequests.inc()
  throw new Refusal('overloaded', 'The service is overloaded. Try again in a moment.', 1)
}

const bearerPattern = /^Bearer +([!-~]+) *$/i

export function readBearerToken({ headers }: FastifyRequest): string | undefined {
  return bearerPattern.exec(headers.authorization ?? '')?.[1]
}

/**
 * A session id is a capability, so only its keyed hash reaches Redis and the log (GEN-9). The hash is computed when it is first
 * needed.
 */
function hashSessionId(
  { keyring }: HttpContext,
  { params }: FastifyRequest,
  name: string,
): (() => string) | undefined {
  const id = (params as Record<string, string | undefined>)[name] // Fastify's own parameters are strings
  if (id === undefined) return undefined
  let hashed: string | undefined
  return () => (hashed ??= keyring.mac('session in logs', id).toString('base64url', 0, 16))
}
