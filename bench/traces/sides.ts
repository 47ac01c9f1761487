import { startProcesses, type ServiceProcesses } from '../../apps/service/test/processes/processes.ts'
import type { Merchant } from '../../apps/service/test/service.ts'

/** `off_again` is the same as `off`: how far both are apart is what this machine cannot tell. */
export const sideNames = ['off', 'off_again', 'one_percent', 'all'] as const
export type SideName = (typeof sideNames)[number]

export type OpenSide = { service: ServiceProcesses; merchant: Merchant; pid: number }

/** A `serve` process with a database of its own. */
export async function openSide(name: SideName, collector_url: string): Promise<OpenSide & AsyncDisposable> {
  const service = await startProcesses(1, {
    environment: { LOG_LEVEL: 'error', ...environmentOf(name, collector_url) },
  })
  const merchant = await service.tenant({ daily_quota: 2_000_000_000 })
  const pid = service.processes[0]?.child.pid
  if (pid === undefined) throw new Error('the process has no id')
  return { service, merchant, pid, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
}

function environmentOf(name: SideName, collector_url: string): Record<string, string> {
  if (name !== 'one_percent' && name !== 'all') return {}
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector_url,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: name === 'all' ? '1' : '0.01',
    // So that nothing is dropped: what is measured is exported.
    OTEL_BSP_MAX_QUEUE_SIZE: '65536',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  }
}
