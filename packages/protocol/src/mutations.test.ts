import { expect, test } from 'vitest'
import { runChannelMutations } from '../test/mutate/run-channel-mutations.ts'
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

test('no mutation of a response over the Digital Credentials API is accepted with other claims or throws (N = 3,000)', async () => {
  const report = await runChannelMutations(3_000)
  expect(report.tried).toBe(3_000)
  expect(report.refused).toBeGreaterThan(2_000)
  expect(report.accepted_unchanged).toBeGreaterThan(0)
  // The mutations reach every stage: the form and encryption, the credential, and what it is bound to.
  expect(Object.keys(report.codes)).toEqual(
    expect.arrayContaining([
      'malformed',
      'credential_malformed',
      'signature_invalid',
      'holder_binding_invalid',
    ]),
  )
  expect(report.cpu_ms.average).toBeLessThan(20)
})

const ignoredChannelChecks: CheckName[][] = [
  ['device_signature'],
  ['key_binding_audience'],
  ['key_binding_nonce'],
  ['element_digests'],
]

test.each(ignoredChannelChecks)(
  'a verifier that ignores %s on these channels is detected (at most N = 20,000)',
  async (...checks) => {
    await expect(runChannelMutations(20_000, checks)).rejects.toThrow('Property failed')
  },
)
