import fc from 'fast-check'
import { expect, test } from 'vitest'
import { caps, shareOut, type Lane } from './share-out.ts'

const lane = (tenant_id: string, host: string): Lane => ({ tenant_id, host })
const times = (count: number, of: Lane) => Array.from({ length: count }, () => of)

test('[HOOK-9] a lane alone gets what its host may hold, and lanes together get equal shares', () => {
  expect(shareOut({ lanes: [lane('a', 'one.test')], underWay: [], free: 256 })).toEqual([
    { tenant_id: 'a', host: 'one.test', room: caps.host },
  ])
  const four = ['a', 'b', 'c', 'd'].map((tenant) => lane(tenant, `${tenant}.test`))
  expect(shareOut({ lanes: four, underWay: [], free: 20 }).map(({ room }) => room)).toEqual([5, 5, 5, 5])
})

test('[HOOK-9] a tenant with many dead hosts, and a host of many tenants, leave senders for the others', () => {
  const hosts = Array.from({ length: 100 }, (_, index) => lane('greedy', `dead-${index}.test`))
  const held = shareOut({ lanes: hosts, underWay: [], free: caps.senders }).flatMap(({ room, ...of }) =>
    times(room, of),
  )
  expect(held).toHaveLength(caps.tenant)
  expect(
    shareOut({ lanes: [...hosts, lane('b', 'b.test')], underWay: held, free: caps.senders - held.length }),
  ).toEqual([{ tenant_id: 'b', host: 'b.test', room: 2 }])

  const tenants = Array.from({ length: 100 }, (_, index) => lane(`tenant-${index}`, 'shared.test'))
  const shared = shareOut({ lanes: tenants, underWay: [], free: caps.senders })
  expect(shared.reduce((sum, { room }) => sum + room, 0)).toBe(caps.host)
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
      fc.nat(caps.senders),
      (lanes, underWay, free) => {
        const shares = shareOut({ lanes, underWay, free })
        const promised = shares.flatMap(({ room, ...of }) => times(room, of))
        const held = [...underWay, ...promised]

        expect(shares.every(({ room }) => room > 0)).toBe(true)
        expect(promised.length).toBeLessThanOrEqual(free)
        for (const { tenant_id, host } of promised) {
          expect(held.filter((each) => each.tenant_id === tenant_id).length).toBeLessThanOrEqual(caps.tenant)
          expect(held.filter((each) => each.host === host).length).toBeLessThanOrEqual(caps.host)
        }
      },
    ),
    { numRuns: 2000 },
  )
})
