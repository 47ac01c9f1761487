import { expect, test } from 'vitest'
import { startDeliveryService } from '../../../../test/deliveries.ts'
import { startCollector } from '../../../../test/network/collector.ts'
import { reply, startReceiver } from '../../../../test/network/receiver.ts'
import { waitUntil } from '../../../../test/wait-until.ts'
import { runWorker } from '../../../program/worker.ts'
import { readClock } from '../../db/clock.ts'

test('a background round is traced only if it did something, failed, or made a request', async () => {
  await using collector = await startCollector()
  await using receiver = await startReceiver(reply(200))
  const rounds: string[] = []
  {
    await using service = await startDeliveryService({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
    const stop = new AbortController()
    const loop = (name: string, work: () => Promise<unknown>) => ({
      name,
      interval_ms: 600_000,
      async run() {
        await readClock(service.ctx.db)
        rounds.push(name)
        return work()
      },
    })
    const working = runWorker(service.ctx, stop.signal, {
      loops: [
        loop('idle', async () => false),
        loop('silent', async () => undefined),
        loop('busy', async () => true),
        loop('counting', async () => 3),
        loop('failing', async () => Promise.reject(new Error('with a secret'))),
        loop('fetching', async () => {
          await service.ctx.egress.request({
            method: 'GET',
            url: `${receiver.url}?token=secret`,
            timeout_ms: 5000,
            max_response_bytes: 100,
            compose: (write) => write({}),
          })
        }),
      ],
    })
    await waitUntil(() => rounds.length === 6 && receiver.received.length === 1)
    stop.abort()
    await working
  }

  const roots = collector.spans.filter(({ name }) => name.startsWith('loop '))
  expect(roots.map(({ name }) => name).toSorted()).toEqual([
    'loop busy',
    'loop counting',
    'loop failing',
    'loop fetching',
  ])
  const traces = new Set(roots.map(({ traceId }) => traceId))
  for (const { traceId } of collector.spans) expect(traces).toContain(traceId)
  expect(roots.find(({ name }) => name === 'loop failing')).toMatchObject({
    status: { code: 2 },
    attributes: { 'error.type': 'Error' },
  })
  expect(collector.bodies.join('')).not.toContain('secret')
})
