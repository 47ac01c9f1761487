import type { Service } from '../../apps/service/test/service.ts'
import { tryActs } from './acts.ts'
import { tryIds } from './cells.ts'
import { prepareDigests } from './digest.ts'
import { tryOwn } from './own.ts'
import { openWorld } from './world.ts'

export type Matrix = { cells: number; faults: string[] }

export type RunMatrix = {
  /** Spoils the service before anybody uses it. */
  plant?: (service: Service) => Promise<void>
  /** Ends with the first part that finds a fault. */
  brief?: boolean
}

/** Runs the whole matrix in a world of its own. */
export async function runMatrix({ plant = async () => {}, brief = false }: RunMatrix = {}): Promise<Matrix> {
  await using world = await openWorld(async (service) => {
    await prepareDigests(service.ctx.db)
    await plant(service)
  })
  const found: Matrix = { cells: 0, faults: [] }
  for (const part of [tryOwn, tryActs, tryIds]) {
    const { cells, faults } = await part(world)
    found.cells += cells
    found.faults.push(...faults)
    if (brief && faults.length > 0) break
  }
  return found
}
