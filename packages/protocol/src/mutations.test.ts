import { expect, test } from 'vitest'
import { runMutations } from '../test/mutate/run-mutations.ts'
import type { CheckName } from './checks.ts'

test('no change to a right answer is accepted that changes what was signed, and none makes it throw (N = 3,000)', async () => {
  const report = await runMutations(3_000)
  expect(report.tried).toBe(3_000)
  // Most changes hit something that is signed; were none accepted, the changes would be too coarse to tell.
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
  'a verifier that takes no notice of %s would be found out (N = 20,000 at most)',
  async (...checks) => {
    await expect(runMutations(20_000, checks)).rejects.toThrow('Property failed')
  },
)
