import type { SpanContext } from '@opentelemetry/api'
import type { Scope } from './active-span.ts'
import { callerContext, toSpanContext } from './span-contexts.ts'
import { idsOfSession, newIds, prepareSession, type TraceIds } from './trace-ids.ts'
import type { TraceParts } from './trace-parts.ts'
import { readTraceparent, type Traceparent } from './traceparent.ts'
import type { RequestToTrace, Span, SpanOptions, Tracer } from './tracing.ts'

/** The spans of requests, in the trace of their session, of their caller, or their own. */
export function openRequestSpans(parts: TraceParts): Pick<Tracer, 'traceRequest'> {
  return {
    traceRequest(request, next) {
      const caller = readTraceparent(request.traceparent)
      const scope =
        caller !== undefined && parts.callers === 'parent'
          ? { span: continueCaller(parts, request, caller) }
          : startRequest(parts, request, caller)
      if (scope.span === undefined && scope.session_bytes === undefined) next()
      else parts.current.run(scope, next)
      return scope.span
    },
  }
}

/** The caller's trace goes on, and the trace of the session, if there is one, is linked. */
function continueCaller(parts: TraceParts, request: RequestToTrace, caller: Traceparent): Span | undefined {
  const { source, isSampled, parentBased } = parts
  if (!(parentBased ? caller.sampled : isSampled(caller.trace_id))) return undefined
  const session = findSession(parts, request)
  const isLinked = session !== undefined && isSampled(session.trace_id)
  const links = isLinked ? [toSpanContext(session)] : []
  return source.startBelow(callerContext(caller), nameRequest(request), describeRequest(request, links))
}

/** The request belongs to the trace of its session, or begins one; the caller's is linked. A caller cannot cause sampling. */
function startRequest(parts: TraceParts, request: RequestToTrace, caller: Traceparent | undefined): Scope {
  const { source, isSampled, keyring } = parts
  const session = findSession(parts, request)
  const prepared = request.createsSession ? prepareSession(keyring) : undefined
  const { session_bytes } = prepared ?? {}
  const own = session ?? prepared ?? newIds()
  if (!isSampled(own.trace_id)) return { span: undefined, session_bytes }
  const name = nameRequest(request)
  const options = describeRequest(request, caller === undefined ? [] : [callerContext(caller)])
  const span =
    session === undefined
      ? source.startRoot(own, name, options)
      : source.startBelow(toSpanContext(session), name, options)
  return { span, session_bytes }
}

function findSession({ keyring }: TraceParts, { session_id }: RequestToTrace): TraceIds | undefined {
  return session_id === undefined ? undefined : idsOfSession(keyring, session_id)
}

function nameRequest({ method, route }: RequestToTrace): string {
  return route === undefined ? method : `${method} ${route}`
}

function describeRequest(
  { method, route, request_id }: RequestToTrace,
  linked: readonly SpanContext[],
): SpanOptions {
  const attributes = {
    'http.request.method': method,
    ...(route !== undefined && { 'http.route': route }),
    'vidimus.request_id': request_id,
  }
  return { kind: 'server', attributes, links: linked.map((context) => ({ context })) }
}
