import { Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { openRequestMetrics } from './request-metrics.ts'

test("durations are rendered as prom-client's own histogram would render them", async () => {
  const buckets = [0.005, 0.01, 0.25, 1]
  const [ours, theirs] = [new Registry(), new Registry()]
  const metrics = openRequestMetrics(ours, buckets)
  const histogram = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of HTTP requests.',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'] as const,
    buckets,
    registers: [theirs],
  })
  const requests = [
    { method: 'GET', route: '/v1/a', status: 200, seconds: 0.001 },
    { method: 'GET', route: '/v1/a', status: 200, seconds: 0.005 },
    { method: 'GET', route: '/v1/a', status: 404, seconds: 0.2 },
    { method: 'POST', route: '/v1/a', status: 200, seconds: 0.25 },
    { method: 'GET', route: '/v1/b', status: 499, seconds: 12 },
    { method: 'GET', route: '/v1/a', status: 200, seconds: 0.9 },
  ]
  for (const { method, route, status, seconds } of requests) {
    metrics.requestStarted()
    metrics.requestEnded({ method, route, status }, seconds)
    histogram.observe(
      { http_request_method: method, http_route: route, http_response_status_code: status },
      seconds,
    )
  }
  metrics.requestStarted()
  const linesOf = async (registry: Registry) =>
    (await registry.getSingleMetricAsString('http_server_request_duration_seconds')).split('\n').toSorted()

  expect(await linesOf(ours)).toEqual(await linesOf(theirs))
  expect(await ours.getSingleMetricAsString('http_server_active_requests')).toMatch(/ 1$/)
})
