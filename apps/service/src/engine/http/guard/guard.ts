import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../basics/refusal.ts'
import type { HttpContext } from '../http-context.ts'
import type { Endpoint } from '../endpoint.ts'
import { callerKeys, countRequest, refuseExceeded } from './rate-limit.ts'
import { continueAsTenant, takeTurn } from './take-turn.ts'

/**
 * The checks of every request before its body is read, in this order: its owner's turn, the rate limits of its address and session,
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
    const session = sessionParam === undefined ? undefined : hashSessionId(http, request, sessionParam)
    request.requestContext.session = session
    const keys = callerKeys(request, { tokenHash, session })
    const states = await countRequest(http, reply, keys)
    refuseExceeded(http, states, (state) => state.limit !== 'key')
    if (route.scope === undefined) return

    const principal = await http.authenticate(token, tokenHash)
    request.requestContext.principal = principal
    if (!principal.scopes.includes(route.scope)) {
      throw new Refusal('insufficient_scope', `This request needs the scope ${route.scope}.`)
    }
    refuseExceeded(http, states)
    const turn = continueAsTenant(principal.tenant_id, tokenHash)
    if (turn !== undefined) await turn
  }
}

const bearerPattern = /^Bearer +([!-~]+) *$/i

export function readBearerToken({ headers }: FastifyRequest): string | undefined {
  return bearerPattern.exec(headers.authorization ?? '')?.[1]
}

/** A session id is a capability, so only its keyed hash reaches Redis and the log (GEN-9). */
function hashSessionId(
  { keyring }: HttpContext,
  { params }: FastifyRequest,
  name: string,
): string | undefined {
  const id = (params as Record<string, string | undefined>)[name] // Fastify's own parameters are strings
  return id === undefined ? undefined : keyring.mac('session in logs', id).toString('base64url', 0, 16)
}
