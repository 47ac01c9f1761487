import { checks, type Check as ProtocolCheck } from '@vidimus/protocol'
import { describe, expect, test } from 'vitest'
import {
  channelFaultCases,
  respondWithFault,
  failedChecks,
  faultCases,
  respondWithoutFault,
  type FaultCase,
} from '../../test/fault-fixture.ts'
import { failureCodes, type Expectation } from './fault.ts'
import { faults } from './list-faults.ts'

describe('[WRES-6] every fault is refused and discloses no attribute', () => {
  test.each(faultCases)('$title', expectRefused)
})

describe('the same wallet without the fault is accepted', () => {
  test.each(faultCases)('$title', expectAccepted)
})

describe('every fault on the other channels is refused and discloses no attribute', () => {
  test.each(channelFaultCases)('$title', expectRefused)
})

describe('the same wallet without the fault is accepted on the other channels', () => {
  test.each(channelFaultCases)('$title', expectAccepted)
})

test('there are more than forty faults with unique names', () => {
  const names = faults.map(({ name }) => name)

  expect(names.length).toBeGreaterThan(40)
  expect(new Set(names).size).toBe(names.length)
})

test("the expected error codes are the verifier's", () => {
  const verifierCodes = Object.entries<ProtocolCheck>(checks).map(([name, { code }]) => [name, code])

  expect(verifierCodes).toEqual(expect.arrayContaining(Object.entries(failureCodes)))
})

test('every check that can fail has a fault', () => {
  const targetedChecks = faultCases.flatMap(({ expected }) => ('check' in expected ? [expected.check] : []))
  const failingChecks = Object.entries<ProtocolCheck>(checks).flatMap(([name, { code }]) =>
    code === undefined ? [] : [name],
  )

  // An invalid query comes from the merchant; no wallet can cause it.
  expect(new Set([...targetedChecks, 'credential_query'])).toEqual(new Set(failingChecks))
})

async function expectRefused(faultCase: FaultCase): Promise<void> {
  const { expected } = faultCase
  const verify = await respondWithFault(faultCase)
  const verdict = await verify()

  expect(verdict).toMatchObject(expectedVerdict(expected))
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
