import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maxSenders, allocateSenders, type ReceiverQueue } from './allocate-senders.ts'

const queue = (tenant_id: string, host: string): ReceiverQueue => ({ tenant_id, host })
const idle = { open: [], free: maxSenders.total, hostLimit: () => 16 }
const repeat = (count: number, repeated: ReceiverQueue) => Array.from({ length: count }, () => repeated)

test('[HOOK-9] a single queue gets its host’s limit, and several queues get equal shares', () => {
  expect(allocateSenders({ ...idle, queues: [queue('a', 'one.test')] })).toEqual([
    { tenant_id: 'a', host: 'one.test', count: 16 },
  ])
  const four = ['a', 'b', 'c', 'd'].map((tenant) => queue(tenant, `${tenant}.test`))
  expect(allocateSenders({ ...idle, queues: four, free: 20 }).map(({ count }) => count)).toEqual([5, 5, 5, 5])
})

test('[HOOK-9] a tenant with many unresponsive hosts, and a host shared by many tenants, leave senders for others', () => {
  const hosts = Array.from({ length: 100 }, (_, index) => queue('greedy', `unresponsive-${index}.test`))
  const open = allocateSenders({ ...idle, queues: hosts }).flatMap(({ count, ...repeated }) =>
    repeat(count, repeated),
  )
  expect(open).toHaveLength(maxSenders.tenant)
  expect(
    allocateSenders({
      ...idle,
      queues: [...hosts, queue('b', 'b.test')],
      open,
      free: maxSenders.total - open.length,
    }),
  ).toEqual([{ tenant_id: 'b', host: 'b.test', count: 2 }])

  const tenants = Array.from({ length: 100 }, (_, index) => queue(`tenant-${index}`, 'shared.test'))
  const shared = allocateSenders({ ...idle, queues: tenants })
  expect(shared.reduce((sum, { count }) => sum + count, 0)).toBe(16)
})

test('[HOOK-9] of two tenants that share a host with one open message at a time, the one that waited longer goes first', () => {
  const queues = [queue('a', 'shared.test'), queue('b', 'shared.test')]
  const served = {
    lastServed: ({ tenant_id }: ReceiverQueue) => (tenant_id === 'a' ? 1 : 0),
    hostLimit: () => 1,
  }
  expect(allocateSenders({ ...idle, ...served, queues })).toEqual([
    { tenant_id: 'b', host: 'shared.test', count: 1 },
  ])
})

test('[HOOK-9] of two tenants that share a host, the one with fewer open messages goes first', () => {
  const open = repeat(15, queue('a', 'shared.test'))
  const queues = [queue('a', 'shared.test'), queue('b', 'shared.test')]
  expect(allocateSenders({ ...idle, queues, open })).toEqual([
    { tenant_id: 'b', host: 'shared.test', count: 1 },
  ])
})

test('[HOOK-8] a host limited to one open message gets the next one when the outcome is recorded', () => {
  const queues = [queue('a', 'one.test')]
  const one = { ...idle, queues, hostLimit: () => 1 }
  expect(allocateSenders(one)).toEqual([{ tenant_id: 'a', host: 'one.test', count: 1 }])
  expect(allocateSenders({ ...one, open: queues })).toEqual([])
})

test('[HOOK-9] no limit is exceeded and no sender is allocated twice, whatever is queued and in progress', () => {
  const anyQueue = fc.record({
    tenant_id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    host: fc.constantFrom('one.test', 'two.test', 'three.test', 'four.test'),
  })
  const key = ({ tenant_id, host }: ReceiverQueue) => `${tenant_id} ${host}`
  fc.assert(
    fc.property(
      fc.uniqueArray(anyQueue, { selector: key }),
      fc.array(anyQueue),
      fc.record({ free: fc.nat(maxSenders.total), limit: fc.integer({ min: 1, max: maxSenders.tenant }) }),
      (queues, open, { free, limit }) => {
        const allocations = allocateSenders({ queues, open, free, hostLimit: () => limit })
        const allocated = allocations.flatMap(({ count, ...repeated }) => repeat(count, repeated))
        const inUse = [...open, ...allocated]

        expect(allocations.every(({ count }) => count > 0)).toBe(true)
        expect(allocated.length).toBeLessThanOrEqual(free)
        for (const { tenant_id, host } of allocated) {
          expect(inUse.filter((each) => each.tenant_id === tenant_id).length).toBeLessThanOrEqual(
            maxSenders.tenant,
          )
          expect(inUse.filter((each) => each.host === host).length).toBeLessThanOrEqual(limit)
        }
      },
    ),
    { numRuns: 2000 },
  )
})
