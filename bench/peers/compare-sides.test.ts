import { expect, test } from 'vitest'
import { compareSides, type Sample } from './compare-sides.ts'
import { cpuTimeBetween } from './cpu.ts'

test('a comparison measures the sides in turn and takes the median of each', async () => {
  const calls: string[] = []
  const side = (name: string, samples: Sample[]) => async () => {
    calls.push(name)
    return samples.shift() ?? sample(0)
  }
  const figures = await compareSides({
    name: 'peers.tests',
    operation: { one: 'test', many: 'tests' },
    rounds: 3,
    ours: side('ours', [sample(300), sample(100), sample(200)]),
    peers: {
      one: side('one', [sample(100), sample(900), sample(50)]),
      two: side('two', [sample(400), sample(400), sample(400)]),
    },
  })

  expect(calls).toEqual(['ours', 'one', 'two', 'ours', 'one', 'two', 'ours', 'one', 'two'])
  expect(figures.map(({ name, value, unit, bare, ratio }) => [name, value, unit, bare, ratio])).toEqual([
    ['peers.tests.one', 200, 'tests/s', 100, 2],
    ['peers.tests.one.cpu_process', 2000, 'µs of CPU/test', 1000, 2],
    ['peers.tests.one.cpu_postgresql', 4000, 'µs of CPU/test', 2000, 2],
    ['peers.tests.two', 200, 'tests/s', 400, 0.5],
    ['peers.tests.two.cpu_process', 2000, 'µs of CPU/test', 4000, 0.5],
    ['peers.tests.two.cpu_postgresql', 4000, 'µs of CPU/test', 8000, 0.5],
  ])
})

test('the CPU time of a backend counts from its start if it started in between', () => {
  const before = {
    process_us: 100,
    backends_us: new Map([
      [1, 10],
      [2, 20],
    ]),
  }
  const after = {
    process_us: 150,
    backends_us: new Map([
      [2, 25],
      [3, 7],
    ]),
  }

  expect(cpuTimeBetween(before, after)).toEqual({ process_us: 50, postgresql_us: 12 })
})

function sample(per_second: number): Sample {
  return { per_second, process_us: per_second * 10, postgresql_us: per_second * 20 }
}
