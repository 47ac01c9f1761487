import { expect, test } from 'vitest'
import { routeMany, routeManyWithoutRule } from './route-many.ts'

const n = 400

test(`[CELL-2] of ${n} requests to two real cells over every route none reaches the wrong one; without a rule some do`, async () => {
  expect(await routeMany({ n })).toMatchObject({ lost: 0 })
  expect((await routeManyWithoutRule({ n })).lost).toBeGreaterThan(0)
})
