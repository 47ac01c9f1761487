import { Gauge, type Histogram, type Registry } from 'prom-client'

/** Values from the route table and fixed lists, never from a caller: the number of series is bounded by them. */
type RequestLabels = { method: string; route: string; status: number }

/** The requests of one method, route and status: how many ended within each bucket, and their sum in seconds. */
type Series = { labels: RequestLabels; inBucket: number[]; count: number; sum: number }

const description = {
  name: 'http_server_request_duration_seconds',
  help: 'Duration of HTTP requests.',
  type: 'histogram',
  aggregator: 'sum',
}

export type RequestMetrics = {
  activeRequests: Gauge
  requestStarted(): void
  requestEnded(labels: RequestLabels, seconds: number): void
}

/**
 * Requests in progress and their durations, counted in plain numbers and rendered when they are scraped: finding a series of
 * prom-client's histogram by its labels took longer than everything else that is recorded of a request.
 */
export function openRequestMetrics(registry: Registry, buckets: readonly number[]): RequestMetrics {
  const byRoute = new Map<string, Map<string, Map<number, Series>>>()
  let active = 0

  const histogram = {
    ...description,
    get: async () => ({
      ...description,
      values: allSeries().flatMap((series) => renderSeries(series, buckets)),
    }),
  }
  // The registry only calls `get`, but its types accept no other class than its own.
  registry.registerMetric(histogram as unknown as Histogram)

  function allSeries(): Series[] {
    return [...byRoute.values()].flatMap((byMethod) =>
      [...byMethod.values()].flatMap((byStatus) => [...byStatus.values()]),
    )
  }

  function findSeries({ method, route, status }: RequestLabels): Series {
    const known = byRoute.get(route)?.get(method)?.get(status)
    if (known !== undefined) return known
    const series = {
      labels: { method, route, status },
      inBucket: Array.from({ length: buckets.length + 1 }, () => 0),
      count: 0,
      sum: 0,
    }
    const byMethod = byRoute.get(route) ?? new Map<string, Map<number, Series>>()
    const byStatus = byMethod.get(method) ?? new Map<number, Series>()
    byRoute.set(route, byMethod.set(method, byStatus.set(status, series)))
    return series
  }

  return {
    activeRequests: new Gauge({
      name: 'http_server_active_requests',
      help: 'HTTP requests in progress.',
      registers: [registry],
      collect() {
        this.set(active)
      },
    }),
    requestStarted() {
      active += 1
    },
    requestEnded(labels, seconds) {
      active -= 1
      const series = findSeries(labels)
      let bucket = 0
      while (bucket < buckets.length && seconds > (buckets[bucket] ?? 0)) bucket += 1
      series.inBucket[bucket] = (series.inBucket[bucket] ?? 0) + 1
      series.count += 1
      series.sum += seconds
    },
  }
}

/** The lines of a Prometheus histogram, in which each bucket includes the smaller ones. */
function renderSeries({ labels, inBucket, count, sum }: Series, buckets: readonly number[]) {
  const { name } = description
  const { method, route, status } = labels
  const shared = { http_request_method: method, http_route: route, http_response_status_code: status }
  let within = 0
  return [
    ...buckets.map((le, bucket) => {
      within += inBucket[bucket] ?? 0
      return { metricName: `${name}_bucket`, labels: { le, ...shared }, value: within }
    }),
    { metricName: `${name}_bucket`, labels: { le: '+Inf', ...shared }, value: count },
    { metricName: `${name}_sum`, labels: shared, value: sum },
    { metricName: `${name}_count`, labels: shared, value: count },
  ]
}
