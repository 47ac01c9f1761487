import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { markFailed, type Span } from '../observability/spans.ts'
import { tracing } from '../observability/tracing.ts'
import { sentStatus } from './describe-api-request.ts'
import { knownMethod } from './mount.ts'

/** Asked every few seconds by load balancers; they would bury everything else. */
const untracedRoutes = new Set(['/healthz', '/readyz'])
const spans = new WeakMap<FastifyRequest, Span>()

/** Traces every request that is sampled. To be called before other hooks are added, so that their work belongs to the span. */
export function traceRequests(app: FastifyInstance): void {
  const { tracer } = tracing
  if (tracer === undefined) return
  app.addHook('onRequest', (request, reply, done) => {
    const { url: route, config } = request.routeOptions
    if (route !== undefined && untracedRoutes.has(route)) return done()
    const method = knownMethod(request.method)
    const [verification_id] = Object.values(request.params as Record<string, string>) // Fastify's own parameters are strings
    const span = tracer.traceRequest(
      {
        // Never the URL, whose ids are capabilities.
        name: route === undefined ? method : `${method} ${route}`,
        attributes: {
          'http.request.method': method,
          ...(route !== undefined && { 'http.route': route }),
          'vidimus.request_id': request.id,
        },
        traceparent: request.headers['traceparent'],
        verification_id,
        createsVerification: config?.createsVerification === true,
      },
      done,
    )
    if (span === undefined) return
    spans.set(request, span)
    reply.raw.on('close', () => endSpan(span, request, reply))
  })
}

/** The trace of a request, if it has one. */
export function tracedAs(request: FastifyRequest): string | undefined {
  return tracing.tracer === undefined ? undefined : spans.get(request)?.spanContext().traceId
}

function endSpan(span: Span, { requestContext }: FastifyRequest, reply: FastifyReply): void {
  const status = sentStatus(reply)
  span.setAttribute('http.response.status_code', status)
  // The framework can refuse a request before it has a context.
  const code = (requestContext as typeof requestContext | undefined)?.error_code
  if (code !== undefined) span.setAttribute('vidimus.error.code', code)
  if (status >= 500) markFailed(span, String(status))
  span.end()
}
