import { Socket } from 'node:net'
import { environments } from '@vidimus/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiRequest, Member, Principal } from '../basics/principal.ts'

/** The status of a request whose caller disconnected before the response was sent. */
const clientClosedRequest = 499
const conflicts = new Set(['idempotency_key_in_flight', 'idempotency_key_reused'])

/** The status of a closed response. The sandbox wallet calls from this process, without a network socket that could break. */
export function sentStatus({ raw, statusCode }: FastifyReply): number {
  const inProcess = raw.socket !== null && !(raw.socket instanceof Socket)
  return raw.writableFinished || (inProcess && raw.writableEnded) ? statusCode : clientClosedRequest
}

/**
 * Describes a finished request of a key or a device, or one of a member that failed: the page shows its id. Undefined for all
 * others.
 */
export function describeApiRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  ended: { method: string; status: number; duration_ms: number },
): ApiRequest | undefined {
  const { principal: caller, route, error_code, verification_id } = request.requestContext
  const principal = caller?.kind === 'member' ? inEnvironment(caller, request, ended) : caller
  if (principal === undefined) return undefined
  return {
    principal,
    request_id: request.id,
    route: route.replaceAll(/:(\w+)/g, '{$1}'),
    ...ended,
    error_code,
    warning: readWarning(reply),
    idempotency: readIdempotency(request, reply, error_code),
    verification_id: verification_id ?? readVerificationId(request, route, ended.status),
  }
}

function inEnvironment(
  member: Member,
  { params }: FastifyRequest,
  { status }: { status: number },
): Principal | undefined {
  const given = (params as { environment?: string }).environment // Fastify's own parameters are strings
  const environment = environments.find((each) => each === given)
  // A page that is left ends its stream of events, which is not a failure.
  const failed = status >= 400 && status !== clientClosedRequest
  return failed && environment !== undefined ? { ...member, environment } : undefined
}

function readIdempotency(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  error_code: string | undefined,
): ApiRequest['idempotency'] {
  if (headers['idempotency-key'] === undefined) return undefined
  if (error_code !== undefined) return conflicts.has(error_code) ? 'conflict' : undefined
  return reply.getHeader('idempotent-replayed') === 'true' ? 'replayed' : 'new'
}

/** Warnings name places in a body and never contain its values. */
function readWarning(reply: FastifyReply): string | undefined {
  const warning = reply.getHeader('x-service-warning')
  return typeof warning === 'string' ? warning : undefined
}

/** An id that was not found may be any text, so it is not recorded. */
function readVerificationId({ params }: FastifyRequest, route: string, status: number): string | undefined {
  if (!route.startsWith('/v1/verifications/:id') || status === 404) return undefined
  return (params as { id?: string }).id // Fastify's own parameters are strings
}
