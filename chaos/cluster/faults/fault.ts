import type { Cluster, ClusterOptions } from '../start-cluster.ts'

/** Something that breaks in a cluster. */
export type ClusterFault = {
  /** For the report: what breaks, and for how long. */
  title: string
  /** The time without service that no service can go below, given the settings of Patroni and HAProxy, and what sets it. */
  floor: { seconds: number; reason: string }
  /** Breaks it. Returns what happened, how long it lasts, and how it ends. */
  inject(cluster: Cluster, round: number): Promise<InjectedClusterFault>
  /** Whether clients may lose their connection: what they are connected to is killed. */
  breaksConnections?: true
  cluster?: ClusterOptions
}

export type InjectedClusterFault = { what: string; lasts_ms: number; end?: () => Promise<void> }
