import { expect, test } from 'vitest'
import { keyTiming } from './key-timing.ts'

test('[AUTH-10] revoked keys and keys that were never issued cannot be distinguished by response or time (150 of each kind)', async () => {
  expect(await keyTiming({ n: 150 })).toMatchObject({ acknowledged: 600, lost: 0, duplicated: 0 })
})
