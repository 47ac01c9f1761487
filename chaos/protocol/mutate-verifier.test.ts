import { expect, test } from 'vitest'
import { listMutants } from './list-mutants.ts'
import { tryMutants } from './try-mutants.ts'
import { findNeededChecks } from './mutate-verifier.ts'

// `npm run chaos -- checks` does the same for the whole verifier.
test('a check that is switched off lets its own fault through and no other: the proof of an mdoc (one file of the verifier)', async () => {
  const tried = await tryMutants(listMutants(/^mdoc\/verify-device-auth/), 2)

  expect([...findNeededChecks(tried).keys()].toSorted()).toEqual([
    'device_mac',
    'device_signature',
    'holder_key',
  ])
}, 120_000)
