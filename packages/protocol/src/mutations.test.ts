import { expect, test } from 'vitest'
import { runMutations } from '../test/mutate/run-mutations.ts'
import type { CheckName } from './checks.ts'

test('no mutation of a valid response changes the accepted claims or makes the verifier throw (N = 3,000)', async () => {
  const report = await runMutations(3_000)
  expect(report.tried).toBe(3_000)
  // Most mutations hit signed data. If none were accepted, the mutations would be too coarse to prove anything.
  expect(report.refused).toBeGreaterThan(2_000)
  expect(report.accepted_unchanged).toBeGreaterThan(0)
  expect(Object.keys(report.codes).length).toBeGreaterThan(3)
  expect(report.cpu_ms.average).toBeLessThan(20)
})

const ignoredCheckLists: CheckName[][] = [
  ['element_digests'],
  ['device_signature'],
  ['issuer_signature', 'key_binding_hash'],
]

test.each(ignoredCheckLists)(
  'a verifier that ignores %s is detected (at most N = 20,000)',
  async (...checks) => {
    await expect(runMutations(20_000, checks)).rejects.toThrow('Property failed')
  },
)
