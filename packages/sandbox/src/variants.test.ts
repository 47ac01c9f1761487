import { expect, test } from 'vitest'
import { variantCases, respondWithVariant } from '../test/fault-fixture.ts'

test.each(variantCases)('[WRES-10] $title is accepted', async (variantCase) => {
  const verify = await respondWithVariant(variantCase)

  expect(await verify()).toMatchObject({ kind: 'outcome', outcome: { status: 'completed' } })
})
