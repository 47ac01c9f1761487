import { expect, test } from 'vitest'
import { routes } from '@vidimus/contract'
import { routesWithIds } from '../../../chaos/isolation/cells.ts'
import { tryWithout } from '../../../chaos/isolation.ts'
import { listPredicates } from '../../../chaos/isolation/list-predicates.ts'
import { runMatrix } from '../../../chaos/isolation/matrix.ts'
import { secrets } from '../../../chaos/secrets.ts'

test(
  "[AUTH-9] [READ-4] [DEV-4] [TOKEN-5] every route x every id that is not the caller's x every caller: as if it did not exist",
  { timeout: 180_000 },
  async () => {
    const { cells, faults } = await runMatrix()
    expect(faults).toEqual([])
    // Nine callers of each route with a scope, one of each other route, and many ids each.
    expect(cells).toBeGreaterThan(800)
    expect(routesWithIds.length).toBe(Object.values(routes).filter(({ path }) => path.includes('{')).length)
  },
)

const samples = [
  ['apps/service/src/devices/store.ts', /^where tenant_id = .* and status <> 'revoked'/],
  ['apps/service/src/verifications/store.ts', /s\.tenant_id = asked\.tenant_id/],
  ['erase_audit_texts', /t\.tenant_id = of_tenant/],
] as const

test(
  `a predicate on the tenant that is taken out is missed (${samples.length} of them)`,
  { timeout: 180_000 },
  async () => {
    const all = await listPredicates()
    for (const [where, line] of samples) {
      const predicate = all.find((each) => each.in.startsWith(where) && line.test(each.line))
      expect([where, predicate && (await tryWithout(predicate))]).toEqual([
        where,
        expect.arrayContaining([expect.any(String)]),
      ])
    }
  },
)

test(
  '[AUTH-2] [DEV-2] [HOOK-10] [REDEEM-4] a dump and the log hold no key, token, code or secret that was issued',
  { timeout: 120_000 },
  async () => {
    const { faults, lost } = await secrets({ n: 3 })
    expect(faults).toBeGreaterThan(50)
    expect(lost).toBe(0)
  },
)
