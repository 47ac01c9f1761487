import { expect, test } from 'vitest'
import { keyTiming } from './key-timing.ts'

test('[AUTH-10] a revoked key and one that was never issued are refused alike, in text and in time (150 of each kind)', async () => {
  expect(await keyTiming({ n: 150 })).toMatchObject({ acknowledged: 600, lost: 0, duplicated: 0 })
})
