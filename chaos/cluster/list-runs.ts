import type { ChaosRun } from '../chaos-run.ts'
import type { ClusterFault } from './faults/fault.ts'
import { clusterFaults } from './faults/list-faults.ts'
import { plantedFaults } from './faults/planted-faults.ts'
import { runFault } from './run-fault.ts'

const fullSize = 10

/** The chaos runs of the cluster: `cluster.NAME` for each fault, and `cluster.NAME.injected`, which must find something. */
export const clusterRuns: Record<string, () => Promise<ChaosRun>> = Object.fromEntries([
  ...Object.entries(clusterFaults).map(([name, fault]) => toRun(`cluster.${name}`, fault)),
  ...Object.entries(plantedFaults).map(([name, fault]) => toRun(`cluster.${name}.injected`, fault)),
])

function toRun(name: string, fault: ClusterFault) {
  const run: ChaosRun = ({ n = fullSize }) => runFault(fault, { name, rounds: n })
  return [name, async () => run] as const
}
