import { describe, expect, test } from 'vitest'
import { failedChecks } from '../../test/fault-fixture.ts'
import { verifyMutant, mutants } from '../../test/member-fixture.ts'

const acceptedMutants = mutants.filter(({ refused_by }) => refused_by === undefined)
const refusedMutants = mutants.filter(({ refused_by }) => refused_by !== undefined)

describe('optional members are accepted, and omissible ones may be missing', () => {
  test.each(acceptedMutants)('$title', async (mutant) => {
    const verdict = await verifyMutant(mutant)

    expect(failedChecks(verdict)).toEqual([])
    expect(verdict).toMatchObject({ kind: 'outcome', outcome: { status: 'completed' } })
  })
})

describe('[WRES-6] a response without a mandatory member is refused', () => {
  test.each(refusedMutants)('$title', async (mutant) => {
    const verdict = await verifyMutant(mutant)

    const refusals = verdict.kind === 'malformed' ? ['rejected'] : failedChecks(verdict)
    expect(refusals).toContain(mutant.refused_by)
  })
})

test('both formats have accepted and refused cases', () => {
  const count = (list: typeof mutants, format: string) => list.filter((each) => each.format === format).length

  for (const format of ['dc+sd-jwt', 'mso_mdoc']) {
    expect(count(acceptedMutants, format)).toBeGreaterThan(25)
    expect(count(refusedMutants, format)).toBeGreaterThan(25)
  }
})
