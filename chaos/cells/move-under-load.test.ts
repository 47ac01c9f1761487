import { expect, test } from 'vitest'
import { moveUnderLoad, moveWithInjectedFault } from './move-under-load.ts'

test('[MOVE-2] a tenant is moved under load through the router, by a command that is killed: nothing is lost, twice or refused', async () => {
  const report = await moveUnderLoad({ n: 1 })
  expect(report).toMatchObject({ lost: 0, duplicated: 0 })
  expect(report.acknowledged).toBeGreaterThan(20)
})

test('a move that does not make the tenant read-only is found', async () => {
  const { lost, duplicated } = await moveWithInjectedFault({ n: 1 })
  expect(lost + duplicated).toBeGreaterThan(0)
})
