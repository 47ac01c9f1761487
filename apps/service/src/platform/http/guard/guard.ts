import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../refusal.ts'
import type { HttpContext } from '../http-context.ts'
import type { Endpoint } from '../endpoint.ts'
import { callerKeys, countRequest, refuseExceeded } from './rate-limit.ts'

/**
 * The checks of every request before its body is read, in this order: load, the rate limits of its address and session,
 * authentication, scope, the rate limit of its key (AUTH-8). All limits are counted in one round trip; the key's limit is
 * enforced only after the key was authenticated.
 */
export function createGuard(http: HttpContext, { route, shedLast }: Endpoint) {
  const sessionParam =
    route.scope === undefined && route.params !== undefined ? Object.keys(route.params.shape)[0] : undefined

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    // On errors too, so that a page can read them.
    if (route.any_origin === true) reply.header('access-control-allow-origin', '*')
    shedLoad(http, shedLast ? 'last' : 'first')
    const token = route.scope === undefined ? undefined : readBearerToken(request)
    const session = sessionParam === undefined ? undefined : hashSessionId(http, request, sessionParam)
    request.requestContext.session = session
    const states =
      http.limiter.limits === undefined
        ? []
        : await countRequest(http, reply, callerKeys(request, { token, session: session?.() }))
    refuseExceeded(http, states, (state) => state.limit !== 'key')
    if (route.scope === undefined) return

    const principal = await http.authenticate(token)
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
