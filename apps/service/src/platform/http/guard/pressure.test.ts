import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { probes } from '../../../../test/probes.ts'
import { startService } from '../../../../test/service.ts'
import { createPressureGauge } from './pressure.ts'

/** Keeps the event loop busy with turns of the given length. */
async function press(turn_ms: number, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    const end = performance.now() + turn_ms
    while (performance.now() < end);
    await sleep(1)
  }
}

test('one long pause sheds nothing; a loop that stays late sheds until it has caught up', () => {
  const { recordDelay, exceeds } = createPressureGauge()
  const shed = () => [exceeds('first'), exceeds('last')]

  recordDelay(20_000)
  expect(shed()).toEqual([false, false])
  for (let tick = 0; tick < 10; tick += 1) recordDelay(400)
  expect(shed()).toEqual([true, false])
  for (let tick = 0; tick < 10; tick += 1) recordDelay(1500)
  expect(shed()).toEqual([true, true])
  for (let tick = 0; tick < 10; tick += 1) recordDelay(0)
  expect(shed()).toEqual([false, false])
})

test('too many requests in progress are shed, however fast the event loop is', () => {
  const { exceeds, enter, leave } = createPressureGauge()
  for (let count = 0; count <= 5000; count += 1) enter()
  expect([exceeds('first'), exceeds('last')]).toEqual([true, false])
  for (let count = 0; count < 5000; count += 1) enter()
  expect([exceeds('first'), exceeds('last')]).toEqual([true, true])
  for (let count = 0; count <= 10_000; count += 1) leave()
  expect([exceeds('first'), exceeds('last')]).toEqual([false, false])
})

test('[GEN-5] an overloaded process responds with 503 and Retry-After; a route with shedLast and health checks still work', async () => {
  await using service = await startService({ extra: probes })
  const merchant = await service.tenant()
  let pressing = true
  const pressed = (async () => {
    while (pressing) await press(500, 1)
  })()
  await sleep(6000)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const [shed, last, health] = await Promise.all([
    merchant.get('/v1/probe', { noRetry: true }),
    service.anonymous.request('POST', '/wallet/probe/x', { raw: 'a=1', headers: form }),
    service.anonymous.get('/healthz'),
  ])
  pressing = false
  await pressed

  expect(shed).toMatchObject({ status: 503, body: { error: { code: 'overloaded' } } })
  expect(shed.headers.get('retry-after')).toBe('1')
  expect([last.status, health.status]).toEqual([200, 200])
  const text = await (await fetch(`${service.metrics_address}/metrics`)).text()
  expect(text).toMatch(/^vidimus_http_requests_shed_total [1-9]/m)
})
