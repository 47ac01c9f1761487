import type { FastifyReply, FastifyRequest } from 'fastify'
import { boundedMap } from '@vidimus/protocol'
import { currentWork } from '../../scheduling/work.ts'
import type { ServerContext } from '../endpoint.ts'
import { addressKey } from './client-address.ts'

/**
 * What a request takes of the event loop beside what is charged where it is used, and what each KiB of its bodies takes. If this is
 * too high, an owner has too few requests in progress to share statements: with 0.5 a creation took three times the CPU time.
 */
const requestCost_ms = { base: 0.15, perKib: 0.01 }

/** The tenants of recently valid tokens, by the hash of the token. */
export const maxKnownTokens = 20_000
const tenantsByToken = boundedMap<string, string>(maxKnownTokens)

type Turn = {
  tokenHash?: string | undefined
  shedLast?: boolean
  /** What is checked when the turn has come. */
  check: () => Promise<void>
  /** The framework's callback. */
  done: (error?: Error) => void
}

/**
 * Waits for the turn of the request's owner: the tenant of its token, if that was valid before, or its address. Then
 * `continueAsTenant` moves the request to its tenant.
 */
export function takeTurn(
  { scheduler, metrics }: ServerContext,
  request: FastifyRequest,
  { tokenHash, shedLast = false, check, done }: Turn,
): void {
  const { requestContext } = request
  const known = tokenHash === undefined ? undefined : tenantsByToken.get(tokenHash)
  const work = scheduler.enter({ owner: known ?? addressKey(request.ip), shedLast }, (refusal) => {
    if (refusal !== undefined) {
      metrics.shedRequests.inc()
      done(refusal)
      return
    }
    requestContext.work = currentWork()
    // oxlint-disable-next-line promise/no-callback-in-promise -- the framework's callback
    check().then(() => done(), done)
  })
  requestContext.work = work
}

/** Returns a promise if the tenant's turn has not come. */
export function continueAsTenant(
  tenant_id: string,
  tokenHash: string | undefined,
): Promise<void> | undefined {
  if (tokenHash !== undefined) tenantsByToken.set(tokenHash, tenant_id)
  return currentWork()?.continueAs(tenant_id)
}

/** The response is ready to be sent: the owner's next request may start. A slow reader holds nothing back. */
export function endTurn(request: FastifyRequest, reply: FastifyReply): void {
  const work = (request.requestContext as typeof request.requestContext | undefined)?.work
  if (work === undefined) return
  const bytes =
    Number(request.headers['content-length'] ?? 0) + Number(reply.getHeader('content-length') ?? 0)
  work.charge(requestCost_ms.base + (requestCost_ms.perKib * bytes) / 1024)
  work.end()
}
