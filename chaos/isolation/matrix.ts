import { operationParts } from './operations/operations.ts'
import { foreignIdParts } from './foreign-ids.ts'
import { dashboardParts } from './dashboard/matrix-parts.ts'
import { ownDataParts } from './dashboard/reads.ts'
import { routesWithoutIdsParts } from './routes-without-ids.ts'
import type { MatrixResult, MatrixPart } from './matrix-part.ts'
import { createFixtureTemplate } from './fixture/isolation-fixture.ts'

/** The whole matrix, ordered so that one fixture serves all parts: destructive parts come last. */
export const matrixParts: readonly MatrixPart[] = [
  ...routesWithoutIdsParts,
  ...ownDataParts,
  ...operationParts,
  ...foreignIdParts,
  ...dashboardParts,
]

/** Runs the whole matrix on a new fixture. */
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
