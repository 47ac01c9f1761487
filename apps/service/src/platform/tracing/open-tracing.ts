import type { Config, Secrets } from '../../config.ts'
import type { Keyring } from '../keyring/open.ts'
import type { Metrics } from '../metrics.ts'
import { tracing } from './tracing.ts'

type TracingContext = {
  config: Config
  keyring: Pick<Keyring, 'mac'>
  metrics: Pick<Metrics, 'spansDropped'>
}

/**
 * Starts to export traces, if a collector is configured: only then is the SDK of OpenTelemetry loaded. A process has one tracer, which
 * the first to open it closes.
 */
export async function openTracing(
  { config, keyring, metrics }: TracingContext,
  { OTEL_EXPORTER_OTLP_HEADERS: headers = {} }: Pick<Secrets, 'OTEL_EXPORTER_OTLP_HEADERS'>,
): Promise<AsyncDisposable> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === undefined || tracing.tracer !== undefined) return { async [Symbol.asyncDispose]() {} }
  const { openTracer } = await import('./open-tracer.ts')
  const tracer = openTracer({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers,
    resource: {
      'service.name': config.OTEL_SERVICE_NAME,
      'vidimus.cell': config.CELL,
      ...config.OTEL_RESOURCE_ATTRIBUTES,
    },
    sampler: readSampler(config),
    callers: config.TRACE_CALLERS,
    max_spans: config.OTEL_BSP_MAX_QUEUE_SIZE,
    delay_ms: config.OTEL_BSP_SCHEDULE_DELAY,
    timeout_ms: config.OTEL_EXPORTER_OTLP_TIMEOUT,
    keyring,
    onDropped: (reason, spans) => metrics.spansDropped.inc({ reason }, spans),
  })
  tracing.tracer = tracer
  return {
    async [Symbol.asyncDispose]() {
      tracing.tracer = undefined
      await tracer.close()
    },
  }
}

function readSampler({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: Config) {
  const parentBased = name.startsWith('parentbased_')
  if (name.endsWith('traceidratio')) return { parentBased, ratio }
  return { parentBased, ratio: name.endsWith('always_on') ? 1 : 0 }
}
