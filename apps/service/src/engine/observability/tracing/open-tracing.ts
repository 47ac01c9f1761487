import type { Config, Secrets } from '../../config/config.ts'
import type { Keyring } from '../../keyring/open.ts'
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
  const { Tracer } = await import('./tracer.ts')
  const tracer = new Tracer({
    config,
    collector: { url: `${endpoint.replace(/\/$/, '')}/v1/traces`, headers },
    hash: (bytes) => keyring.mac('trace of session', bytes),
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
