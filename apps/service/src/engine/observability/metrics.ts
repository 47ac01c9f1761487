import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { programVersion } from '../basics/version.ts'
import { openDatabaseMetrics } from './database-metrics.ts'
import { openLagGauge } from './lag-gauge.ts'
import { openLoopProgress } from './loop-progress.ts'
import { durationBuckets, startAtZero } from './metric-shapes.ts'
import { droppedLines } from './standard-error.ts'
import { openVerificationCounter } from './verification-counter.ts'

export type Metrics = ReturnType<typeof openMetrics>

/** How often the delay of the event loop is sampled. The default of 10 ms takes a third of a percent of a core from an idle process. */
const lagSampling_ms = 50

/**
 * The service's metrics. Where OpenTelemetry defines a name (`http.server.request.duration`), it is used in its Prometheus
 * form. Label values come from the route table and fixed lists, never from a caller.
 */
export function openMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: lagSampling_ms })
  const loops = openLoopProgress()
  return {
    registry,
    loops,
    database: openDatabaseMetrics(registers),
    verifications: openVerificationCounter(registers),
    build: new Gauge({
      name: 'vidimus_build_info',
      help: 'Always 1. The version of the program and of Node that this process runs.',
      labelNames: ['version', 'node_version'] as const,
      registers,
      collect() {
        this.set({ version: programVersion(), node_version: process.version }, 1)
      },
    }),
    loopsOverdue: new Gauge({
      name: 'vidimus_worker_loop_overdue_seconds',
      help: 'By how much each background loop of this worker is later than its interval. 0 while it is in time.',
      labelNames: ['loop'] as const,
      registers,
      collect() {
        for (const [loop, overdue_seconds] of loops.overdue()) this.set({ loop }, overdue_seconds)
      },
    }),
    activeRequests: new Gauge({
      name: 'http_server_active_requests',
      help: 'HTTP requests in progress.',
      registers,
    }),
    requestDuration: new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Duration of HTTP requests.',
      labelNames: ['http_request_method', 'http_route', 'http_response_status_code'] as const,
      buckets: durationBuckets,
      registers,
    }),
    shedRequests: new Counter({
      name: 'vidimus_http_requests_shed_total',
      help: 'Requests refused with 503 because the process was overloaded.',
      registers,
    }),
    rateLimited: new Counter({
      name: 'vidimus_rate_limited_total',
      help: 'Requests refused with 429, by the rate limit that was exceeded.',
      labelNames: ['budget'] as const,
      registers,
    }),
    closedConnections: startAtZero(
      new Counter({
        name: 'vidimus_connections_closed_total',
        help: 'Connections closed because of the client: too many from one address, too many requests at a time, or reading too slowly.',
        labelNames: ['bound'] as const,
        registers,
      }),
      'bound',
      ['connections', 'pipelined', 'reading'],
    ),
    pairingGuesses: new Counter({
      name: 'vidimus_pairing_guesses_total',
      help: 'Attempts with pairing codes that were never issued. Alert on a rise: it indicates an attack.',
      registers,
    }),
    certificateEnd: new Gauge({
      name: 'vidimus_access_certificate_not_after_timestamp_seconds',
      help: 'When the access certificate that signs requests expires.',
      // 0 in a process that is starting.
      registers,
    }),
    limiterShared: new Gauge({
      name: 'vidimus_limiter_shared',
      help: '1 while rate limits are shared by all nodes, 0 while this process counts alone.',
      registers,
    }),
    resealedValues: new Counter({
      name: 'vidimus_resealed_values_total',
      help: 'Values that were sealed again under the newest sealing key.',
      registers,
    }),
    signingTokenUsable: new Gauge({
      name: 'vidimus_signing_token_usable',
      help: '1 while the PKCS#11 token of SIGNING_KEY_URI signs, 0 while it does not.',
      registers,
    }),
    webhookQueue: new Gauge({
      name: 'vidimus_webhook_queue_events',
      help: 'Undelivered events: ready, waiting for their next attempt, or leased to a sender.',
      labelNames: ['state'] as const,
      registers,
    }),
    webhookLag: openLagGauge({
      name: 'vidimus_webhook_lag_seconds',
      help: 'Age of the oldest event that is ready to send. It grows while it is not measured.',
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
      help: 'Events whose last attempt failed, so that they were never delivered.',
      registers,
    }),
    mails: startAtZero(
      new Counter({
        name: 'vidimus_mails_total',
        help: 'Attempts to send mail, by outcome: sent, deferred (tried again later), refused, failed or expired.',
        labelNames: ['outcome'] as const,
        registers,
      }),
      'outcome',
      ['sent', 'deferred', 'refused', 'failed', 'expired'],
    ),
    alertWebhooks: startAtZero(
      new Counter({
        name: 'vidimus_alert_webhooks_total',
        help: 'Attempts to deliver alerts by webhook, by outcome: delivered, deferred (tried again later) or failed.',
        labelNames: ['outcome'] as const,
        registers,
      }),
      'outcome',
      ['delivered', 'deferred', 'failed'],
    ),
    registrations: new Gauge({
      name: 'vidimus_registrations',
      help: 'Registrations of all tenants by state: ok, ends_soon (within 30 days), ended or refused (revoked or not of the access certificate).',
      labelNames: ['state'] as const,
      registers,
    }),
    auditLag: openLagGauge({
      name: 'vidimus_audit_lag_seconds',
      help: 'Age of the oldest audit entry that is not in a chain yet. It grows while it is not measured.',
      registers,
    }),
    clockOffset: new Gauge({
      name: 'vidimus_database_clock_offset_seconds',
      help: 'By how much the clock of the database is ahead of the clock of this machine, as a worker sees it.',
      registers,
    }),
    auditBroken: new Gauge({
      name: 'vidimus_audit_broken',
      help: '1 while this process refuses to sign because the audit log does not match what was signed before.',
      registers,
    }),
    auditSequenced: new Counter({
      name: 'vidimus_audit_sequenced_total',
      help: 'Audit entries that this process appended to their chains.',
      registers,
    }),
    restorePending: new Gauge({
      name: 'vidimus_restore_pending',
      help: 'Erasures and revocations of the erasure ledger that the database lost, up to 10,000. Above 0, every request is refused until `vidimus admin restore apply`.',
      registers,
    }),
    ledgerInDoubt: new Gauge({
      name: 'vidimus_ledger_in_doubt',
      help: 'Entries of the erasure ledger whose transaction has not ended as far as is known, up to 10,000. The worker completes those older than a minute.',
      registers,
    }),
    ledgerEntries: new Counter({
      name: 'vidimus_ledger_entries_total',
      help: 'Erasures and revocations that this process appended to the erasure ledger.',
      registers,
    }),
    ledgerSyncs: new Counter({
      name: 'vidimus_ledger_syncs_total',
      help: 'Writes to the erasure ledger that were waited for until they were on disk.',
      registers,
    }),
    ledgerFailures: new Counter({
      name: 'vidimus_ledger_failures_total',
      help: 'Failed writes to the erasure ledger. The erasures and revocations were refused with 503.',
      registers,
    }),
    requestLogDropped: startAtZero(
      new Counter({
        name: 'vidimus_request_log_dropped_total',
        help: 'Requests that are not in the request log: sampled out, too many waiting, or not written.',
        labelNames: ['reason'] as const,
        registers,
      }),
      'reason',
      ['sampled', 'full', 'failed'],
    ),
    logLinesDropped: new Counter({
      name: 'vidimus_log_lines_dropped_total',
      help: 'Log lines dropped because standard error did not accept them: its disk is full, or nothing reads it.',
      registers,
      collect() {
        this.reset()
        this.inc(droppedLines())
      },
    }),
    spansDropped: new Counter({
      name: 'vidimus_spans_dropped_total',
      help: 'Spans that the collector did not get: the queue was full, a background round had too many, an export failed, or the process stopped.',
      labelNames: ['reason'] as const,
      registers,
    }),
    limiterLocal: new Counter({
      name: 'vidimus_limiter_local_total',
      help: 'Requests counted by this process alone because Redis was unavailable.',
      registers,
    }),
  }
}
