import { operationParts } from './acts.ts'
import { foreignIdParts } from './cells.ts'
import { dashboardParts } from './dashboard/units.ts'
import { ownDataParts } from './dashboard/reads.ts'
import { routesWithoutIdsParts } from './own.ts'
import type { MatrixResult, MatrixPart } from './unit.ts'
import { createFixtureTemplate } from './world.ts'

/** The whole matrix, in an order in which one world can be used for all of it: what ends things comes last. */
export const matrixParts: readonly MatrixPart[] = [
  ...routesWithoutIdsParts,
  ...ownDataParts,
  ...operationParts,
  ...foreignIdParts,
  ...dashboardParts,
]

/** Runs the whole matrix in a world of its own. */
export async function runMatrix(): Promise<MatrixResult> {
  await using template = await createFixtureTemplate()
  await using fixture = await template.open()
  const result: MatrixResult = { cells: 0, faults: [] }
  for (const { name, run } of matrixParts) {
    const { cells, faults } = await run(fixture)
    result.cells += cells
    result.faults.push(...faults.map((fault) => `${name}: ${fault}`))
  }
  return result
}
