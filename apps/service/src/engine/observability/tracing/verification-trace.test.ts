import { expect, test } from 'vitest'
import { startDeliveryService } from '../../../../test/deliveries.ts'
import { startCollector, type ReceivedSpan } from '../../../../test/network/collector.ts'
import { reply, startReceiver } from '../../../../test/network/receiver.ts'
import { startRedisServer } from '../../../../test/processes/redis-server.ts'
import { newVerification } from '../../../../test/verification.ts'
import { waitUntil } from '../../../../test/wait-until.ts'

const webhookToken = 'a-token-in-the-query'
const collectorKey = 'the-key-of-the-collector'

/** One verification, from its creation to its webhook, as a collector receives it. */
async function traceVerification(environment: Record<string, string> = {}) {
  await using collector = await startCollector()
  await using receiver = await startReceiver(reply(204))
  await using redis = await startRedisServer()
  await using service = await startDeliveryService({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${collectorKey}`,
    OTEL_SERVICE_NAME: 'vidimus-test',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    REDIS_URL: redis.url,
    RATE_LIMITS: 'key=6000/60,ip=6000/60,session=600/60',
    ...environment,
  })
  await using stack = new AsyncDisposableStack()
  stack.use(service.startWorker())
  const purpose = 'Opening an account at the corner bank'
  const verification = await newVerification(service, {
    template: 'identity_basic',
    purpose,
    metadata: { order: 'order-of-ada' },
    webhook_url: `${receiver.url}?token=${webhookToken}`,
  })
  await verification.respond()
  await service.waitForAttempts(verification.merchant, 1)
  const result = await verification.read()
  await waitUntil(() => collector.spans.some(({ name }) => name === 'GET /v1/verifications/:id'))
  await waitUntil(() => collector.spans.some(({ name }) => name === 'webhook attempt'))
  const creation = collector.spans.findLast(({ name }) => name === 'POST /v1/verifications')
  return {
    collector,
    creation,
    spans: collector.spans.filter(({ traceId }) => traceId === creation?.traceId),
    received: receiver.received,
    log: service.log.map((line) => JSON.parse(line)),
    verification,
    secrets: [
      verification.id,
      verification.id.slice(-27),
      Buffer.from(verification.id.slice(-27), 'base64url').toString('hex'),
      verification.merchant.key,
      verification.merchant.webhook_secret,
      verification.merchant.tenant_id,
      webhookToken,
      collectorKey,
      purpose,
      'order-of-ada',
      ...listTexts(result.claims),
    ],
    claims: listTexts(result.claims),
  }
}

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : []
}

function childrenOf(spans: readonly ReceivedSpan[], name: string): string[] {
  const parent = spans.find((span) => span.name === name)
  return spans.filter(({ parentSpanId }) => parentSpanId === parent?.spanId).map((span) => span.name)
}

test('[TRACE-2] a verification is one trace from its creation to its webhook, and shows nothing of its content', async () => {
  const { collector, creation, spans, received, log, verification, secrets, claims } =
    await traceVerification()

  // The creation comes first, and everything else is below it.
  expect(creation?.parentSpanId ?? '').toBe('')
  const ids = new Set(spans.map(({ spanId }) => spanId))
  for (const span of spans.filter((each) => each !== creation)) expect(ids).toContain(span.parentSpanId)
  expect(childrenOf(spans, 'POST /v1/verifications')).toEqual(
    expect.arrayContaining([
      'redis countRequests',
      'sql accounts.findKeys',
      'sql verifications.createVerifications',
      'POST /wallet/request/:sessionId',
      'POST /wallet/response/:sessionId',
      'webhook attempt',
      'GET /v1/verifications/:id',
    ]),
  )
  expect(childrenOf(spans, 'POST /wallet/response/:sessionId')).toEqual(
    expect.arrayContaining(['verify response', 'sql verifications.recordResponses']),
  )
  const steps = childrenOf(spans, 'verify response').filter((name) => !name.startsWith('sql '))
  expect(steps.slice(-8)).toEqual([
    'decrypt',
    'trust',
    'signature',
    'disclosures',
    'key binding',
    'checks',
    'status',
    'outcome',
  ])
  expect(childrenOf(spans, 'webhook attempt')).toEqual(
    expect.arrayContaining(['POST', 'sql deliveries.recordAttempts']),
  )
  expect(spans.find(({ name }) => name === 'POST')?.attributes).toEqual({
    'http.request.method': 'POST',
    'server.address': '127.0.0.1',
    'http.response.status_code': 204,
  })
  expect(creation?.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/v1/verifications',
    'http.response.status_code': 201,
    'vidimus.request_id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  expect(creation?.resource).toMatchObject({ 'service.name': 'vidimus-test', 'vidimus.cell': '0' })

  const exported = collector.bodies.join('\n')
  expect(claims.length).toBeGreaterThan(2)
  for (const secret of secrets) expect([secret, exported.includes(secret)]).toEqual([secret, false])
  expect(collector.headers[0]?.authorization).toBe(`Bearer ${collectorKey}`)

  // Neither the wallet nor the receiver learns of the trace, and the log names it.
  expect(received[0]?.headers).not.toHaveProperty('traceparent')
  const lines = log.filter(({ route }) => route === '/v1/verifications').slice(-1)
  expect(lines.map(({ trace_id }) => trace_id)).toEqual([creation?.traceId])
  expect(lines[0]?.request_id).toBe(creation?.attributes['vidimus.request_id'])
  expect(verification.id).not.toContain(creation?.traceId)
})

test('a webhook names its span to the receiver only if that is configured', async () => {
  const { spans, received } = await traceVerification({ WEBHOOK_TRACEPARENT: 'on' })

  const request = spans.find(({ name }) => name === 'POST')
  expect(received[0]?.headers['traceparent']).toBe(`00-${request?.traceId}-${request?.spanId}-01`)
})
