import { actUnits } from './acts.ts'
import { idUnits } from './cells.ts'
import { dashboardUnits } from './dashboard/units.ts'
import { seeUnits } from './dashboard/reads.ts'
import { ownUnits } from './own.ts'
import type { Found, Unit } from './unit.ts'
import { makeWorld } from './world.ts'

/** The whole matrix, in an order in which one world can be used for all of it: what ends things comes last. */
export const units: readonly Unit[] = [...ownUnits, ...seeUnits, ...actUnits, ...idUnits, ...dashboardUnits]

/** Runs the whole matrix in a world of its own. */
export async function runMatrix(): Promise<Found> {
  await using made = await makeWorld()
  await using world = await made.enter()
  const found: Found = { cells: 0, faults: [] }
  for (const { name, run } of units) {
    const { cells, faults } = await run(world)
    found.cells += cells
    found.faults.push(...faults.map((fault) => `${name}: ${fault}`))
  }
  return found
}
