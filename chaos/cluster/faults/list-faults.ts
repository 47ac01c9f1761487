import { databaseFaults } from './database-faults.ts'
import type { ClusterFault } from './fault.ts'
import { processFaults } from './process-faults.ts'

/** Every fault by its name: `npm run chaos -- cluster.NAME`. */
export const clusterFaults: Record<string, ClusterFault> = { ...databaseFaults, ...processFaults }
