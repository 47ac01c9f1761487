import { sourceFaults } from '../../../apps/service/test/injected-faults.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClusterFault } from './fault.ts'
import { databaseFaults } from './database-faults.ts'

/** Clusters and services that do not keep their word. A run must find each. */
export const plantedFaults: Record<string, ClusterFault> = {
  /** Commits are acknowledged before a standby has them. */
  asynchronous: {
    ...databaseFaults.node_killed,
    cluster: { synchronous: false },
    async inject(cluster) {
      const primary = await cluster.primary()
      primary.freezeReplication()
      await sleep(1500)
      return databaseFaults.node_killed.inject(cluster)
    },
  },
  /** Patroni 3.0.2 lets a primary that was frozen take the lock back through etcd's v3 API. */
  etcd_v3: { ...databaseFaults.primary_frozen, cluster: { etcd_api: 'v3' } },
  /** A lost connection to the database is taken for a fault of the service. */
  internal_error: {
    ...databaseFaults.primary_killed,
    cluster: { injectedFaults: sourceFaults.lostConnectionInternal },
  },
}
