import { expect, test } from 'vitest'
import { dashboardRoutes, routes } from '@vidimus/contract'
import { exemptions, findExemption } from './predicates/exemptions.ts'
import { listPredicates } from './predicates/list-predicates.ts'
import { runMatrix, matrixParts } from './matrix.ts'
import { startTrialProcess } from './predicates/trial-process.ts'
import { secretsInDump } from '../credentials/secrets-in-dump.ts'

test('every route of the contract and of the dashboard has cells in the matrix', () => {
  const covered = new Set<string>(matrixParts.flatMap((unit) => unit.routes))
  const all = [...Object.keys(routes), ...Object.keys(dashboardRoutes).map((name) => `dashboard.${name}`)]
  expect(all.filter((name) => !covered.has(name))).toEqual([])
})

test(
  "[AUTH-9] [READ-4] [DEV-4] [TOKEN-5] every route x every id that is not the caller's x every caller: as if it did not exist",
  { timeout: 180_000 },
  async () => {
    const { cells, faults } = await runMatrix()
    expect(faults).toEqual([])
    // Eleven callers of each route with a scope, a dozen or more of each of the dashboard's, and many ids each.
    expect(cells).toBeGreaterThan(2000)
  },
)

test('what is exempt is a predicate that is there, once', async () => {
  const found = (await listPredicates()).map(findExemption)
  expect(exemptions.map((each) => [each.line, found.filter((other) => other === each).length])).toEqual(
    exemptions.map(({ line }) => [line, 1]),
  )
})

const samples = [
  ['apps/service/src/devices/store.ts', /^where tenant_id = .* and status <> 'revoked'/],
  ['apps/service/src/members/sessions/store.ts', /m\.tenant_id = s\.tenant_id/],
  ['erase_audit_texts', /t\.tenant_id = of_tenant/],
] as const

test(
  `a predicate on the tenant that is taken out is missed (${samples.length} of them)`,
  { timeout: 180_000 },
  async () => {
    const all = await listPredicates()
    await using trialProcess = await startTrialProcess()
    for (const [where, line] of samples) {
      const number = all.findIndex((each) => each.in.startsWith(where) && line.test(each.line))
      expect([where, await trialProcess.tryWithout([number])]).toEqual([
        where,
        expect.objectContaining({ by: expect.any(String) }),
      ])
    }
  },
)

test(
  '[AUTH-2] [DEV-2] [HOOK-10] [REDEEM-4] a dump and the log hold no key, token, code or secret that was issued',
  { timeout: 120_000 },
  async () => {
    const { faults, lost } = await secretsInDump({ n: 3 })
    expect(faults).toBeGreaterThan(50)
    expect(lost).toBe(0)
  },
)
