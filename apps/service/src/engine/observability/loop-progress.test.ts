import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { openLagGauge } from '../observability/lag-gauge.ts'
import { openLoopProgress } from './loop-progress.ts'

function turnableClock() {
  let now_ms = 0
  return { now_ms: () => now_ms, pass: (seconds: number) => void (now_ms += seconds * 1000) }
}

test('a loop is overdue from its interval on, until it succeeds again', () => {
  const clock = turnableClock()
  const loops = openLoopProgress(clock.now_ms)
  expect([...loops.overdue()]).toEqual([])

  loops.add('audit', 500)
  loops.add('retention', 600_000)
  clock.pass(100)
  expect(Object.fromEntries(loops.overdue())).toEqual({ audit: 99.5, retention: 0 })

  loops.succeeded('audit')
  loops.succeeded('unknown')
  expect(Object.fromEntries(loops.overdue())).toEqual({ audit: 0, retention: 0 })
})

test('a lag has no value until it was measured, and grows while it is not measured', async () => {
  const clock = turnableClock()
  const registry = new Registry()
  const gauge = openLagGauge({ name: 'lag', help: 'A lag.', registers: [registry], now_ms: clock.now_ms })
  const values = async () => (await registry.getSingleMetric('lag')?.get())?.values.map(({ value }) => value)
  expect(await values()).toEqual([])

  gauge.set(3)
  clock.pass(15)
  expect(await values()).toEqual([3])
  clock.pass(45)
  expect(await values()).toEqual([63])

  gauge.set(0)
  expect(await values()).toEqual([0])
})
