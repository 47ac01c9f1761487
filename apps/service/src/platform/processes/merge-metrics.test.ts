import { expect, test } from 'vitest'
import { openMetrics } from '../metrics.ts'
import { openMergedMetrics } from './merge-metrics.ts'

async function snapshot(prepare: (metrics: ReturnType<typeof openMetrics>) => void) {
  const metrics = openMetrics()
  prepare(metrics)
  return metrics.registry.getMetricsAsJSON()
}

function valueOf(text: string, series: string): number {
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')[1],
  )
}

const labels = { http_request_method: 'GET', http_route: '/healthz', http_response_status_code: 200 }
const requestCount =
  'http_server_request_duration_seconds_count{http_request_method="GET",http_route="/healthz",http_response_status_code="200"}'

test('[PROC-5] counters and requests in progress are summed, a flag of one process is shown, and limits are shared only if all share them', async () => {
  const merged = openMergedMetrics()
  const text = await merged.render([
    await snapshot((metrics) => {
      metrics.activeRequests.inc()
      metrics.shedRequests.inc(2)
      metrics.auditBroken.set(1)
      metrics.restorePending.set(7)
      metrics.limiterShared.set(1)
    }),
    await snapshot((metrics) => {
      metrics.activeRequests.inc()
      metrics.shedRequests.inc(3)
      metrics.restorePending.set(7)
      metrics.limiterShared.set(0)
    }),
  ])

  expect(valueOf(text, 'http_server_active_requests')).toBe(2)
  expect(valueOf(text, 'vidimus_http_requests_shed_total')).toBe(5)
  expect(valueOf(text, 'vidimus_audit_broken')).toBe(1)
  expect(valueOf(text, 'vidimus_restore_pending')).toBe(7)
  expect(valueOf(text, 'vidimus_limiter_shared')).toBe(0)
})

test('[PROC-5] what ended processes counted stays in the totals, and their gauges do not', async () => {
  const merged = openMergedMetrics()
  const ended = await snapshot((metrics) => {
    metrics.activeRequests.inc()
    metrics.activeRequests.inc()
    metrics.activeRequests.dec()
    metrics.requestDuration.observe(labels, 0.2)
    metrics.auditBroken.set(1)
  })
  for (let count = 0; count < 3; count += 1) merged.keepTotals(ended)
  const running = await snapshot((metrics) => {
    metrics.activeRequests.inc()
    metrics.activeRequests.dec()
    metrics.requestDuration.observe(labels, 0.2)
  })
  const text = await merged.render([running])

  expect(valueOf(text, requestCount)).toBe(4)
  expect(valueOf(text, 'http_server_active_requests')).toBe(0)
  expect(valueOf(text, 'vidimus_audit_broken')).toBe(0)
  expect(valueOf(await merged.render([]), requestCount)).toBe(3)
})
