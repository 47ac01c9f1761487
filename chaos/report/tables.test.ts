import { expect, test } from 'vitest'
import { replaceTables, type SavedResult } from './tables.ts'

const document = ['availability', 'others', 'injected', 'machines']
  .map((name) => `<!-- chaos: ${name} -->\nold\n<!-- end -->\n`)
  .join('')

const result: SavedResult = {
  name: 'cluster.primary_killed',
  faults: 3,
  acknowledged: 3000,
  lost: 0,
  duplicated: 0,
  requests: 9000,
  slowest_s: 4.2,
  unavailable_s: { median: 5, worst: 6.25, floor: 0 },
  at: '2026-11-16T23:00',
  commit: '0123456789',
  machine: '2 cores (a model), 4 GiB',
  load_average: 2.5,
}

test('a run without findings is reported with its N and the bound 3/N', () => {
  const text = replaceTables(document, { [result.name]: result })

  expect(text).toContain('| 3 | 5.0 s / 6.3 s |')
  expect(text).toContain('| 0 of 3,000 | < 0.10 % | 4.2 s |')
  expect(text).toContain('| 1 | `0123456789` | 2 cores (a model), 4 GiB | 2026-11-16 23:00 UTC | 2.5 |')
  expect(text).not.toContain('old')
})

test('a run with findings has no bound, and one with a planted fault is reported apart', () => {
  const found = { ...result, name: 'webhooks', lost: 2, duplicated: 3, duplicates_allowed: 2 }
  const planted = {
    ...result,
    name: 'cluster.asynchronous.injected',
    lost: 7,
    contradictions: { lost: 7, exits: 0 },
  }
  const text = replaceTables(document, { webhooks: found, [planted.name]: planted })

  expect(text).toContain('| `webhooks` | 3 | 3 of 3,000 |  |')
  expect(text).toContain('| `cluster.asynchronous.injected` | 3 | 7 of 3,000 | lost 7 |')
})

test('runs of one commit on one machine are reported together, with the times and loads of all', () => {
  const later = { ...result, name: 'webhooks', at: '2026-11-17T01:00', load_average: 10 }
  const other = { ...result, name: 'cells.routing', commit: 'fedcba9876' }
  const text = replaceTables(document, {
    [other.name]: other,
    [result.name]: result,
    [later.name]: later,
  })

  expect(text).toContain(
    '| 2 | `0123456789` | 2 cores (a model), 4 GiB | 2026-11-16 23:00 to 2026-11-17 01:00 UTC | 2.5 to 10 |',
  )
  expect(text).toContain('| 1 | `fedcba9876` |')
})
