import { expect, test } from 'vitest'
import { variantCases, respondWithVariant } from '../test/fault-fixture.ts'

test.each(variantCases)('$title is accepted', async (variantCase) => {
  const verify = await respondWithVariant(variantCase)

  expect(await verify()).toMatchObject({ kind: 'outcome', outcome: { status: 'completed' } })
})
