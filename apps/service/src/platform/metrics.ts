import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { droppedLines } from './standard-error.ts'

export type Metrics = ReturnType<typeof openMetrics>

/** Seconds, as OpenTelemetry advises for HTTP durations. */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/**
 * What the service counts, under OpenTelemetry's names where it has one (`http.server.request.duration`), written as
 * Prometheus writes them. Labels come from the table of routes and fixed lists, never from a caller.
 */
export function openMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  return {
    registry,
    requestDuration: new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Duration of HTTP requests.',
      labelNames: ['http_request_method', 'http_route', 'http_response_status_code'] as const,
      buckets: durationBuckets,
      registers,
    }),
    activeRequests: new Gauge({
      name: 'http_server_active_requests',
      help: 'HTTP requests that are under way.',
      registers,
    }),
    shedRequests: new Counter({
      name: 'vidimus_http_requests_shed_total',
      help: 'Requests answered 503 because the process could not keep up.',
      registers,
    }),
    rateLimited: new Counter({
      name: 'vidimus_rate_limited_total',
      help: 'Requests answered 429, by the budget that was spent.',
      labelNames: ['budget'] as const,
      registers,
    }),
    closedConnections: new Counter({
      name: 'vidimus_connections_closed_total',
      help: 'Connections closed for what their caller did: too many from one address, too many requests at a time, or reading too slowly.',
      labelNames: ['bound'] as const,
      registers,
    }),
    pairingGuesses: new Counter({
      name: 'vidimus_pairing_guesses_total',
      help: 'Pairing codes tried that were never issued. A rise is an attack; alarm on it.',
      registers,
    }),
    limiterShared: new Gauge({
      name: 'vidimus_limiter_shared',
      help: '1 while budgets are shared over all nodes, 0 while this process counts alone.',
      registers,
    }),
    webhookQueue: new Gauge({
      name: 'vidimus_webhook_queue_events',
      help: 'Events that are still to be delivered: ready, waiting for their next attempt, or leased to a sender.',
      labelNames: ['state'] as const,
      registers,
    }),
    webhookLag: new Gauge({
      name: 'vidimus_webhook_lag_seconds',
      help: 'For how long the oldest event that is ready has been ready.',
      registers,
    }),
    webhookAttempts: new Histogram({
      name: 'vidimus_webhook_attempt_duration_seconds',
      help: 'Duration of delivery attempts, by outcome.',
      labelNames: ['outcome'] as const,
      buckets: durationBuckets,
      registers,
    }),
    webhookExhausted: new Counter({
      name: 'vidimus_webhook_events_exhausted_total',
      help: 'Events whose last attempt failed: their receivers were not told.',
      registers,
    }),
    auditLag: new Gauge({
      name: 'vidimus_audit_lag_seconds',
      help: 'For how long the oldest audit entry that is in no chain yet has waited.',
      registers,
    }),
    auditBroken: new Gauge({
      name: 'vidimus_audit_broken',
      help: '1 while this process refuses to sign because the audit log is not what was signed before.',
      registers,
    }),
    auditSequenced: new Counter({
      name: 'vidimus_audit_sequenced_total',
      help: 'Audit entries that this process moved to their chains.',
      registers,
    }),
    logLinesDropped: new Counter({
      name: 'vidimus_log_lines_dropped_total',
      help: 'Lines of the log that standard error did not take: its disk is full, or nobody reads it.',
      registers,
      collect() {
        this.reset()
        this.inc(droppedLines())
      },
    }),
    limiterLocal: new Counter({
      name: 'vidimus_limiter_local_total',
      help: 'Requests that were counted by this process alone because Redis was away.',
      registers,
    }),
  }
}
