import { expect, test } from 'vitest'
import { listMutants } from './list-mutants.ts'
import { tryMutants } from './try-mutants.ts'
import { findNeededChecks } from './mutate-verifier.ts'

// `npm run chaos -- checks` covers the whole verifier.
test('disabling a check of the mdoc device authentication accepts its own fault and no other', async () => {
  const tried = await tryMutants(listMutants(/^mdoc\/verify-device-auth/), 2)

  expect([...findNeededChecks(tried).keys()].toSorted()).toEqual([
    'device_mac',
    'device_signature',
    'holder_key',
  ])
}, 120_000)
