import type { DashboardOperation } from '@vidimus/contract'
import type { Unit } from '../unit.ts'
import { dashboardIdUnits } from './ids.ts'
import { ownIdUnits } from './own-ids.ts'
import { readUnits } from './reads.ts'
import { others } from './routes.ts'
import { signIns } from './sign-in.ts'
import { streams } from './streams.ts'
import { writes, type Trial } from './writes.ts'

const trials: Partial<Record<DashboardOperation, Trial>> = { ...streams, ...writes, ...signIns }

/** Each route that names nothing and does more than to show. One that the contract has gained is missing here until it is tried. */
const otherUnits: readonly Unit[] = others.flatMap(([operation]) => {
  const trial = trials[operation]
  if (trial === undefined) return []
  return {
    name: `dashboard.${operation}`,
    routes: [`dashboard.${operation}`],
    run: async (world) => ({ cells: 1, faults: await trial(world) }),
  }
})

/** The dashboard's part of the matrix. What ends things comes last. */
export const dashboardUnits: readonly Unit[] = [
  ...dashboardIdUnits,
  ...readUnits,
  ...otherUnits,
  ...ownIdUnits,
]
