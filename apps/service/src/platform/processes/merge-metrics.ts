import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client'

/** The metrics of one process at one moment. */
export type MetricSnapshot = MetricObjectWithValues<MetricValue<string>>[]

export type MergedMetrics = {
  /** Adds what an ended process had counted to the totals, so that no counter ever goes back. */
  keepTotals(snapshot: MetricSnapshot): void
  /** The metrics of all processes in the format of Prometheus. */
  render(running: readonly MetricSnapshot[]): Promise<string>
}

/**
 * One value for several processes: counters, histograms and most gauges are summed, and a gauge that is a flag or an age names
 * another aggregator where it is defined. The number of series does not grow with restarts.
 */
export function openMergedMetrics(): MergedMetrics {
  let ended: MetricSnapshot = []
  return {
    keepTotals(snapshot) {
      ended = snapshotOf(merge([ended, snapshot.filter(isTotal)]))
    },
    render: (running) => merge([...running, ended]).metrics(),
  }
}

function merge(snapshots: readonly MetricSnapshot[]): Registry {
  return AggregatorRegistry.aggregate(snapshots.map((snapshot) => snapshot.map(useHighestDelay)))
}

/** prom-client averages the event loop's delays, which would hide the process that is stuck behind those that are idle. */
function useHighestDelay(metric: MetricSnapshot[number]): MetricSnapshot[number] {
  return metric.aggregator === 'average' ? { ...metric, aggregator: 'max' } : metric
}

/** prom-client declares `type` as a number, but writes and reads it as a word. */
function isTotal({ type }: MetricSnapshot[number]): boolean {
  return ['counter', 'histogram'].includes(String(type))
}

/** A merged registry has its values as members of its metrics, which its type does not say. */
function snapshotOf(registry: Registry): MetricSnapshot {
  return registry.getMetricsAsArray() as unknown as MetricSnapshot
}
