import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { operatorMay } from '@vidimus/contract'
import { Refusal } from '../../basics/refusal.ts'
import { readCookie } from '../../formats/cookies.ts'
import type { OperatorEndpoint, OperatorHttpContext } from '../endpoint.ts'
import { confirmationRequired, readBearerToken, refuseOtherOrigins, roleNotAllowed } from './guard.ts'
import { callerKeys, limitRequest } from './rate-limit.ts'
import { continueAsTenant, takeTurn } from './take-turn.ts'

/**
 * The checks of every request of an operator before its body is read: its turn, the rate limits of its address and session or token,
 * the origin unless it has a token, the session or token, the role, and the confirmation.
 */
export function createOperatorGuard(http: OperatorHttpContext, { route }: Pick<OperatorEndpoint, 'route'>) {
  const origin = new URL(http.config.BASE_URL).origin

  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const token = readBearerToken(request)
    const session =
      token === undefined ? readCookie(http.config, 'operator', request.headers.cookie) : undefined
    const sent = token ?? session
    const tokenHash = sent === undefined ? undefined : hash('sha256', sent)
    const check = () => checkOperator(request, reply, { token, session, tokenHash })
    takeTurn(http, request, { tokenHash, check, done })
  }

  async function checkOperator(
    request: FastifyRequest,
    reply: FastifyReply,
    { token, session, tokenHash }: Record<'token' | 'session' | 'tokenHash', string | undefined>,
  ): Promise<void> {
    // A page of another site cannot know a token.
    if (token === undefined && route.cross_site !== true) refuseOtherOrigins(request, origin)
    await limitRequest(http, reply, callerKeys(request, { tokenHash }))
    const found = await findCaller(token, session)
    if (found !== undefined) {
      request.requestContext.operator = found.operator
      const turn = continueAsTenant(found.operator.operator_id, tokenHash)
      if (turn !== undefined) await turn
    }
    if (route.may === 'anyone') return
    if (found === undefined) throw new Refusal('not_signed_in', 'Sign in to continue.')
    const { operator, presence } = found
    const isForPeople = route.may === 'signed_in'
    if (route.may !== 'signed_in' && route.may !== 'operator' && !operatorMay(operator.role, route.may))
      throw roleNotAllowed(operator)
    if (presence === 'program' && (route.confirmed || isForPeople))
      throw new Refusal('confirmation_required', 'A token cannot do this. Sign in to the console.')
    if (route.confirmed && presence !== 'confirmed') throw confirmationRequired()
    if (route.method !== 'GET')
      await limitRequest(http, reply, [{ limit: 'member', owner: operator.operator_id }])
  }

  async function findCaller(token: string | undefined, session: string | undefined) {
    if (token !== undefined) return http.findOperator({ token })
    return session === undefined ? undefined : http.findOperator({ session })
  }
}
