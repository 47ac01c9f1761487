import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maxSenders, allocateSenders, type Lane } from './allocate-senders.ts'

const lane = (tenant_id: string, host: string): Lane => ({ tenant_id, host })
const nothing = { open: [], free: maxSenders.total, allowed: () => 16 }
const times = (count: number, of: Lane) => Array.from({ length: count }, () => of)

test('[HOOK-9] a lane alone gets what its host may hold, and lanes together get equal shares', () => {
  expect(allocateSenders({ ...nothing, lanes: [lane('a', 'one.test')] })).toEqual([
    { tenant_id: 'a', host: 'one.test', room: 16 },
  ])
  const four = ['a', 'b', 'c', 'd'].map((tenant) => lane(tenant, `${tenant}.test`))
  expect(allocateSenders({ ...nothing, lanes: four, free: 20 }).map(({ room }) => room)).toEqual([5, 5, 5, 5])
})

test('[HOOK-9] a tenant with many dead hosts, and a host of many tenants, leave senders for the others', () => {
  const hosts = Array.from({ length: 100 }, (_, index) => lane('greedy', `dead-${index}.test`))
  const held = allocateSenders({ ...nothing, lanes: hosts }).flatMap(({ room, ...of }) => times(room, of))
  expect(held).toHaveLength(maxSenders.tenant)
  expect(
    allocateSenders({
      ...nothing,
      lanes: [...hosts, lane('b', 'b.test')],
      open: held,
      free: maxSenders.total - held.length,
    }),
  ).toEqual([{ tenant_id: 'b', host: 'b.test', room: 2 }])

  const tenants = Array.from({ length: 100 }, (_, index) => lane(`tenant-${index}`, 'shared.test'))
  const shared = allocateSenders({ ...nothing, lanes: tenants })
  expect(shared.reduce((sum, { room }) => sum + room, 0)).toBe(16)
})

test('[HOOK-9] of two tenants with one host, the one that holds less goes first', () => {
  const open = times(15, lane('a', 'shared.test'))
  const lanes = [lane('a', 'shared.test'), lane('b', 'shared.test')]
  expect(allocateSenders({ ...nothing, lanes, open })).toEqual([
    { tenant_id: 'b', host: 'shared.test', room: 1 },
  ])
})

test('[HOOK-8] a host that may have one message open gets the next when its outcome is recorded', () => {
  const lanes = [lane('a', 'one.test')]
  const one = { ...nothing, lanes, allowed: () => 1 }
  expect(allocateSenders(one)).toEqual([{ tenant_id: 'a', host: 'one.test', room: 1 }])
  expect(allocateSenders({ ...one, open: lanes })).toEqual([])
})

test('[HOOK-9] whatever is waiting and under way, no cap is passed and no sender is promised twice', () => {
  const anyLane = fc.record({
    tenant_id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    host: fc.constantFrom('one.test', 'two.test', 'three.test', 'four.test'),
  })
  const key = ({ tenant_id, host }: Lane) => `${tenant_id} ${host}`
  fc.assert(
    fc.property(
      fc.uniqueArray(anyLane, { selector: key }),
      fc.array(anyLane),
      fc.record({ free: fc.nat(maxSenders.total), most: fc.integer({ min: 1, max: maxSenders.tenant }) }),
      (lanes, open, { free, most }) => {
        const shares = allocateSenders({ lanes, open, free, allowed: () => most })
        const promised = shares.flatMap(({ room, ...of }) => times(room, of))
        const held = [...open, ...promised]

        expect(shares.every(({ room }) => room > 0)).toBe(true)
        expect(promised.length).toBeLessThanOrEqual(free)
        for (const { tenant_id, host } of promised) {
          expect(held.filter((each) => each.tenant_id === tenant_id).length).toBeLessThanOrEqual(
            maxSenders.tenant,
          )
          expect(held.filter((each) => each.host === host).length).toBeLessThanOrEqual(most)
        }
      },
    ),
    { numRuns: 2000 },
  )
})
