import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sizedTables } from '../mixed/sizes.ts'
import { happens, workload } from '../mixed/workload.ts'
import { readMeasured, replaceModel } from '../report/main.ts'
import { assumptions } from './assumptions.ts'
import { computeCapacity, computeCost, sumOperations, type Inputs, type OperationCost } from './model.ts'

const document = new URL('../../docs/operate/scale.md', import.meta.url)
const cost: OperationCost = { main: 100, threads: 0, runtime: 0, postgres: 50, redis: 1, wal_bytes: 10 }

test('the tables of the capacity model are those that its recorded figures give', () => {
  const text = readFileSync(document, 'utf8')

  expect(replaceModel(text, readMeasured())).toBe(text)
})

test('a verification costs each operation as often as the workload has it', () => {
  const operations = { ...inputs().operations, poll: { ...cost, main: 1000 } }
  const before = sumOperations(inputs())

  const sums = sumOperations({ operations })

  expect(sums.serve - before.serve).toBeCloseTo(900 * workload.poll)
  expect(sums.postgres).toBeCloseTo(before.postgres)
  expect(sums.work).toBeCloseTo(100 * workload.delivery)
})

test('twice the rate takes twice the CPU, WAL, disk and network', () => {
  const [one, two] = [1e4, 2e4].map((rate) => computeCapacity(inputs(), assumptions, rate))

  for (const part of ['wal_mb_per_second', 'stored_tb', 'network_out_mb_per_second'] as const)
    expect(two?.[part]).toBeCloseTo(2 * (one?.[part] ?? 0))
  expect(two?.cells_by.cpu).toBeCloseTo(2 * (one?.cells_by.cpu ?? 0))
})

test('the higher of the two measurements of a part counts', () => {
  const sums = sumOperations(inputs())
  const mixed = { ...inputs().mixed, serve: sums.serve * 3 }

  const usual = computeCapacity(inputs(), assumptions, 1e6)
  const higher = computeCapacity({ ...inputs(), mixed }, assumptions, 1e6)

  expect(higher.vcpus.serve / usual.vcpus.serve).toBeCloseTo(3)
})

test('the limit that asks for most decides the number of cells', () => {
  const stored = { ...inputs().stored, audit_entries: { heap: 1e6, indexes: 0 } }

  const capacity = computeCapacity({ ...inputs(), stored }, assumptions, 1000)

  expect(capacity.cells).toBe(Math.ceil(capacity.cells_by.disk))
  expect(capacity.cells_by.disk).toBeGreaterThan(capacity.cells_by.cpu)
})

test('the cost is that of servers, disks with room and traffic', () => {
  const capacity = computeCapacity(inputs(), assumptions, 1000)
  const price = { provider: '', source: '', vcpu_month: 10, disk_gb_month: 0.1, out_gb: 0.05 }

  const { servers, disks, traffic, total } = computeCost(capacity, assumptions, price)

  expect(servers).toBe(10 * Object.values(capacity.vcpus).reduce((sum, vcpus) => sum + vcpus, 0))
  expect(disks).toBeCloseTo(capacity.stored_tb * 3 * 1000 * 1.3 * 0.1)
  expect(traffic).toBeCloseTo(capacity.out_tb_per_month * 50)
  expect(total).toBeCloseTo(servers + disks + traffic)
})

test('a part of the verifications is that part, evenly spread', () => {
  const turns = Array.from({ length: 100 }, (_, turn) => happens(0.02, turn))

  expect(turns.filter(Boolean)).toHaveLength(2)
  expect(turns.indexOf(true)).toBe(49)
})

function inputs(): Inputs {
  const names = Object.keys(workload)
  return {
    operations: Object.fromEntries(names.map((name) => [name, cost])) as Inputs['operations'], // the keys of the workload
    mixed: { serve: 1, work: 1, postgres: 1, redis: 1 },
    mixed_wal_bytes: 4000,
    stored: Object.fromEntries(
      sizedTables.map((table) => [table, { heap: 100, indexes: 50 }]),
    ) as Inputs['stored'], // one for each table
    http_out_bytes: 10_000,
    http_in_bytes: 8000,
    database_bytes: 20_000,
    memory_mb: { serve: 400, work: 200 },
  }
}
