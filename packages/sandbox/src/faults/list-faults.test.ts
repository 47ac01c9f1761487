import { checks, type Check as ProtocolCheck } from '@vidimus/protocol'
import { expect, test } from 'vitest'
import { faultCases } from '../../test/fault-fixture.ts'
import { testFaults } from '../../test/test-faults.ts'
import { failureCodes } from './fault.ts'
import { faults } from './list-faults.ts'

testFaults('on the redirect channel', faultCases)

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
