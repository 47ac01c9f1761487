import { describe, expect, test } from 'vitest'
import { failureCodes, type Expectation } from '../src/faults/fault.ts'
import { failedChecks, respondWithFault, respondWithoutFault, type FaultCase } from './fault-fixture.ts'

/** Tests that every fault is refused, and that the same wallet without it is accepted. */
export function testFaults(where: string, cases: readonly FaultCase[]): void {
  describe(`[WRES-6] every fault ${where} is refused and discloses no attribute`, () => {
    test.each(cases)('$title', expectRefused)
  })

  describe(`the same wallet without the fault is accepted ${where}`, () => {
    test.each(cases)('$title', expectAccepted)
  })
}

async function expectRefused(faultCase: FaultCase): Promise<void> {
  const { expected } = faultCase
  const verify = await respondWithFault(faultCase)
  const verdict = await verify()

  expect(verdict).toMatchObject(expectedVerdict(expected))
  const unreadable = verdict.kind === 'outcome' && verdict.outcome.unreadable === true
  expect(unreadable).toBe(expected.outcome === 'malformed')
  expect(failedChecks(verdict)).toEqual(expect.arrayContaining('check' in expected ? [expected.check] : []))
  expect(JSON.stringify(verdict)).not.toMatch(/Erika|Mustermann|age_over_18":true/)
}

async function expectAccepted(faultCase: FaultCase): Promise<void> {
  const verify = await respondWithoutFault(faultCase)

  expect(await verify()).toMatchObject({ kind: 'outcome', outcome: { status: 'completed' } })
}

function expectedVerdict(expected: Expectation): object {
  if (expected.outcome === 'rejected') return { kind: 'malformed' }
  if ('code' in expected)
    return {
      kind: 'error',
      error: { code: expected.code },
      bound_to_verification: expected.outcome === 'failed',
    }
  return {
    kind: 'outcome',
    outcome: { status: 'failed', claims: {}, error: { code: failureCodes[expected.check] } },
  }
}
