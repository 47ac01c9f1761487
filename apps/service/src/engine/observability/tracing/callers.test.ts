import { expect, test } from 'vitest'
import { startCollector, type ReceivedSpan } from '../../../../test/network/collector.ts'
import { startService } from '../../../../test/service.ts'

const caller = { trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', span_id: '00f067aa0ba902b7' }
const sampled = { traceparent: `00-${caller.trace_id}-${caller.span_id}-01` }
const unsampled = { traceparent: `00-${caller.trace_id}-${caller.span_id}-00` }

type SendRequests = (service: Awaited<ReturnType<typeof startService>>) => Promise<void>

/** What a collector has received once the service has stopped. */
async function collect(environment: Record<string, string>, send: SendRequests): Promise<ReceivedSpan[]> {
  await using collector = await startCollector()
  {
    await using service = await startService({
      environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...environment },
    })
    await send(service)
  }
  return collector.spans
}

const requestUsage =
  (headers: Record<string, string>): SendRequests =>
  async (service) => {
    const { key } = await service.tenant()
    const response = await fetch(`${service.address}/v1/usage`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
    })
    expect(response.status).toBe(200)
  }

test('a caller cannot cause its requests to be sampled', async () => {
  for (const OTEL_TRACES_SAMPLER of ['parentbased_always_off', 'traceidratio']) {
    const environment = { OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG: '0' }
    expect(await collect(environment, requestUsage(sampled))).toEqual([])
  }
})

test("a caller's trace is linked, and does not become the trace of the request", async () => {
  const spans = await collect({}, requestUsage(sampled))

  const request = spans.find(({ name }) => name === 'GET /v1/usage')
  expect(request?.traceId).not.toBe(caller.trace_id)
  expect(request?.parentSpanId ?? '').toBe('')
  expect(request?.links).toMatchObject([{ traceId: caller.trace_id, spanId: caller.span_id }])
})

test("where callers are trusted, their traces go on, and the verification's own is linked", async () => {
  const environment = { TRACE_CALLERS: 'parent', OTEL_TRACES_SAMPLER: 'parentbased_always_on' }
  expect(await collect(environment, requestUsage(unsampled))).toEqual([])

  const spans = await collect(environment, async (service) => {
    const { key } = await service.tenant()
    const created = await fetch(`${service.address}/v1/verifications`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...sampled },
      body: '{"template":"age_over_18"}',
    })
    const { id }: { id: string } = JSON.parse(await created.text())
    await service.anonymous.get(`/v1/verifications/${id}/status`)
  })
  const creation = spans.find(({ name }) => name === 'POST /v1/verifications')
  const first = spans.find(({ name }) => name === 'verification')
  const later = spans.find(({ name }) => name === 'GET /v1/verifications/:id/status')
  expect([creation?.traceId, creation?.parentSpanId]).toEqual([caller.trace_id, caller.span_id])
  expect([creation?.links, first?.links]).toMatchObject([
    [{ traceId: first?.traceId, spanId: first?.spanId }],
    [{ traceId: caller.trace_id, spanId: creation?.spanId }],
  ])
  expect([later?.traceId, later?.parentSpanId]).toEqual([first?.traceId, first?.spanId])
})

test('a verification is sampled as a whole or not at all', async () => {
  const environment = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' }
  const spans = await collect(environment, async (service) => {
    const merchant = await service.tenant()
    for (let count = 0; count < 30; count += 1) {
      const { id } = (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body
      await merchant.get(`/v1/verifications/${id}`)
    }
  })

  // A set: a request that was refused because the machine is busy is repeated.
  const tracesOf = (name: string) =>
    new Set(spans.filter((span) => span.name === name).map(({ traceId }) => traceId))
  const created = tracesOf('POST /v1/verifications')
  expect(tracesOf('GET /v1/verifications/:id')).toEqual(created)
  expect(created.size).toBeGreaterThan(0)
  expect(created.size).toBeLessThan(30)
})

test('requests that share a statement are linked to each other', async () => {
  const spans = await collect({}, async (service) => {
    const merchant = await service.tenant()
    const ids = await Promise.all(
      Array.from(
        { length: 20 },
        async () => (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body.id,
      ),
    )
    await Promise.all(ids.map((id) => merchant.get(`/v1/verifications/${id}`)))
  })

  const batches = spans.filter(({ name }) => name === 'batch')
  const waiting = spans.filter(({ name }) => name === 'batch in another trace')
  expect(batches.length).toBeGreaterThan(0)
  expect(batches.some(({ attributes }) => Number(attributes['vidimus.batch.calls']) > 2)).toBe(true)
  const requests = new Map(spans.map((span) => [span.spanId, span]))
  for (const { links, traceId } of batches)
    for (const link of links)
      expect([link.traceId === traceId, requests.get(link.spanId)?.kind]).toEqual([false, 2])
  expect(waiting.flatMap(({ links }) => links.map(({ spanId }) => requests.get(spanId)?.name))).toEqual(
    waiting.map(() => 'batch'),
  )
  expect(batches.flatMap(({ links }) => links).length).toBe(waiting.length)
})
