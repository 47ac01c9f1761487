import { checks, type Check as ProtocolCheck } from '@vidimus/protocol'
import { describe, expect, test } from 'vitest'
import { respondWithFault, failedChecks, faultCases, respondWithoutFault } from '../../test/fault-fixture.ts'
import { failureCodes, type Expectation } from './fault.ts'
import { faults } from './list-faults.ts'

describe('[WRES-6] every fault is refused, and no attribute is told', () => {
  test.each(faultCases)('$title', async ({ expected, ...faultCase }) => {
    const verify = await respondWithFault({ expected, ...faultCase })
    const verdict = await verify()

    expect(verdict).toMatchObject(expectedVerdict(expected))
    expect(failedChecks(verdict)).toEqual(expect.arrayContaining('check' in expected ? [expected.check] : []))
    expect(JSON.stringify(verdict)).not.toMatch(/Erika|Mustermann/)
  })
})

describe('without its fault, the same wallet is accepted', () => {
  test.each(faultCases)('$title', async (faultCase) => {
    const verify = await respondWithoutFault(faultCase)

    expect(await verify()).toMatchObject({ kind: 'outcome', outcome: { status: 'completed' } })
  })
})

test('there are more than forty faults, each with a name of its own', () => {
  const names = faults.map(({ name }) => name)

  expect(names.length).toBeGreaterThan(40)
  expect(new Set(names).size).toBe(names.length)
})

test('the errors that the faults expect are those of the verifier', () => {
  const verifierCodes = Object.entries<ProtocolCheck>(checks).map(([name, { code }]) => [name, code])

  expect(verifierCodes).toEqual(expect.arrayContaining(Object.entries(failureCodes)))
})

test('every check that can fail has a fault of its own', () => {
  const targetedChecks = faultCases.flatMap(({ expected }) => ('check' in expected ? [expected.check] : []))
  const failingChecks = Object.entries<ProtocolCheck>(checks).flatMap(([name, { code }]) =>
    code === undefined ? [] : [name],
  )

  // A broken query is the merchant's doing: no wallet can bring it about.
  expect(new Set([...targetedChecks, 'credential_query'])).toEqual(new Set(failingChecks))
})

function expectedVerdict(expected: Expectation): object {
  if (expected.outcome === 'not_an_answer') return { kind: 'malformed' }
  if ('code' in expected) return { kind: 'error', error: { code: expected.code } }
  return {
    kind: 'outcome',
    outcome: { status: 'failed', claims: {}, error: { code: failureCodes[expected.check] } },
  }
}
