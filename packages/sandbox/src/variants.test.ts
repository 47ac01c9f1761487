import { expect, test } from 'vitest'
import { variantCases, vary } from '../test/fault-world.ts'

test.each(variantCases)('[WRES-10] $title is accepted', async (variantCase) => {
  const judge = await vary(variantCase)

  expect(await judge()).toMatchObject({ kind: 'outcome', outcome: { status: 'completed' } })
})
