import { expect, test } from 'vitest'
import { dashboardRoutes, routes } from '@vidimus/contract'
import { exemptions, findExemption } from './predicates/exemptions.ts'
import { listPredicates } from './predicates/list-predicates.ts'
import { runMatrix, matrixParts } from './matrix.ts'
import { startTrialProcess } from './predicates/trial-process.ts'

test('the matrix covers every route of the API and of the dashboard', () => {
  const covered = new Set<string>(matrixParts.flatMap((unit) => unit.routes))
  const all = [...Object.keys(routes), ...Object.keys(dashboardRoutes).map((name) => `dashboard.${name}`)]
  expect(all.filter((name) => !covered.has(name))).toEqual([])
})

test(
  "[AUTH-9] [READ-4] [DEV-4] [TOKEN-5] every route with every id that is not the caller's responds to every caller as if it did not exist",
  { timeout: 600_000 },
  async () => {
    const { cells, faults } = await runMatrix()
    expect(faults).toEqual([])
    // Eleven callers for each route with a scope, a dozen or more for each dashboard route, and many ids for each caller.
    expect(cells).toBeGreaterThan(2000)
  },
)

test('every exemption matches exactly one predicate', async () => {
  const found = (await listPredicates()).map(findExemption)
  expect(exemptions.map((each) => [each.line, found.filter((other) => other === each).length])).toEqual(
    exemptions.map(({ line }) => [line, 1]),
  )
})

/** Predicates, and the part of the matrix that must notice when one is removed. `npm run chaos` removes every predicate and runs all parts. */
const samples = [
  [
    'apps/service/src/devices/store.ts',
    /^where tenant_id = .* and status <> 'revoked'/,
    'revokeDevice: ids of others',
  ],
  [
    'apps/service/src/accounts/members/sessions/store.ts',
    /m\.tenant_id = s\.tenant_id/,
    'what members are shown',
  ],
  ['erase_audit_texts', /t\.tenant_id = of_tenant/, 'erase a verification'],
] as const

test(
  `the matrix notices when a tenant predicate is removed (${samples.length} samples)`,
  { timeout: 400_000 },
  async () => {
    const all = await listPredicates()
    await using trialProcess = await startTrialProcess(samples.map(([, , part]) => part))
    for (const [where, line, part] of samples) {
      const number = all.findIndex((each) => each.in.startsWith(where) && line.test(each.line))
      expect([where, await trialProcess.tryWithout([number])]).toEqual([
        where,
        expect.objectContaining({ caught_by: part }),
      ])
    }
  },
)
