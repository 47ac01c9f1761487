import type { DashboardOperation } from '@vidimus/contract'
import type { MatrixPart } from '../matrix-part.ts'
import { dashboardForeignIdParts } from './foreign-ids.ts'
import { managementParts } from './management.ts'
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

/** Routes without an id that do more than read. A route without a trial is left out, and the coverage test reports it. */
const otherParts: readonly MatrixPart[] = otherRoutes.flatMap(([operation]) => {
  const trial = trials[operation]
  if (trial === undefined) return []
  return {
    name: `dashboard.${operation}`,
    routes: [`dashboard.${operation}`],
    run: async (fixture) => ({ cells: 1, faults: await trial(fixture) }),
  }
})

/** The dashboard's parts of the matrix. Destructive parts come last. */
export const dashboardParts: readonly MatrixPart[] = [
  ...dashboardForeignIdParts,
  ...unaffectedReadParts,
  ...otherParts,
  ...managementParts,
  ...ownIdParts,
]
