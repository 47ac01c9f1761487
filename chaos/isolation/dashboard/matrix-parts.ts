import type { DashboardOperation } from '@vidimus/contract'
import type { MatrixPart } from '../matrix-part.ts'
import { dashboardForeignIdParts } from './foreign-ids.ts'
import { ownIdParts } from './own-ids.ts'
import { unaffectedReadParts } from './reads.ts'
import { otherRoutes } from './routes.ts'
import { signInTrials } from './sign-in.ts'
import { streamTrials } from './streams.ts'
import { writeTrials, type RouteTrial } from './writes.ts'

const trials: Partial<Record<DashboardOperation, RouteTrial>> = {
  ...streamTrials,
  ...writeTrials,
  ...signInTrials,
}

/** Each route that names nothing and does more than to show. One that the contract has gained is missing here until it is tried. */
const otherParts: readonly MatrixPart[] = otherRoutes.flatMap(([operation]) => {
  const trial = trials[operation]
  if (trial === undefined) return []
  return {
    name: `dashboard.${operation}`,
    routes: [`dashboard.${operation}`],
    run: async (world) => ({ cells: 1, faults: await trial(world) }),
  }
})

/** The dashboard's part of the matrix. What ends things comes last. */
export const dashboardParts: readonly MatrixPart[] = [
  ...dashboardForeignIdParts,
  ...unaffectedReadParts,
  ...otherParts,
  ...ownIdParts,
]
