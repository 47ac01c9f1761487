import { timing } from '../database/patroni-settings.ts'
import type { DatabaseNode } from '../database/database-node.ts'
import type { ClusterFault, InjectedClusterFault } from './fault.ts'

const outage_ms = 30_000
const outage = `for ${outage_ms / 1000} s`
const lockExpires = {
  seconds: timing.ttl_seconds - timing.loop_wait_seconds,
  reason: 'the lock expires',
}
const senderTimesOut = {
  seconds: timing.wal_sender_timeout_seconds / 2,
  reason: '`wal_sender_timeout`',
}

/** Faults of the database's nodes. */
export const databaseFaults = {
  primary_killed: {
    title: "SIGKILL of the primary's postmaster",
    floor: { seconds: 0, reason: 'Patroni restarts it' },
    async inject(cluster) {
      const primary = await cluster.primary()
      primary.killPostmaster()
      return { what: primary.name, lasts_ms: 0 }
    },
  },
  node_killed: {
    title: `SIGKILL of everything on the primary's node, back after ${outage_ms / 1000} s`,
    floor: lockExpires,
    inject: async (cluster) => killNode(await cluster.primary()),
  },
  primary_frozen: {
    title: `the primary's node frozen ${outage}`,
    floor: lockExpires,
    inject: async (cluster) => freezeNode(await cluster.primary()),
  },
  primary_cut_off: {
    title: `the primary's node cut off from the network ${outage}`,
    floor: lockExpires,
    inject: async (cluster) => cutOffNode(await cluster.primary()),
  },
  standby_killed: {
    title: `SIGKILL of everything on the synchronous standby's node, back after ${outage_ms / 1000} s`,
    floor: { seconds: 0, reason: 'Patroni names another' },
    inject: async (cluster) => killNode(await cluster.synchronousStandby()),
  },
  standby_frozen: {
    title: `the synchronous standby's node frozen ${outage}`,
    floor: senderTimesOut,
    inject: async (cluster) => freezeNode(await cluster.synchronousStandby()),
  },
  standby_cut_off: {
    title: `the synchronous standby's node cut off from the network ${outage}`,
    floor: senderTimesOut,
    inject: async (cluster) => cutOffNode(await cluster.synchronousStandby()),
  },
  disk_full: {
    title: `the primary's disk full ${outage}`,
    floor: { seconds: 0, reason: 'it stays primary while the WAL has room' },
    cluster: { disk_mb: 900 },
    async inject(cluster) {
      const primary = await cluster.primary()
      primary.fillDisk()
      return { what: primary.name, lasts_ms: outage_ms, end: async () => primary.freeDisk() }
    },
  },
  clock_jumped: {
    // Within the minute that a wallet's clock may differ.
    title: "the primary's clock half a minute ahead, or behind, for 15 s",
    floor: { seconds: 0, reason: 'nothing has to be replaced' },
    cluster: { clocks: true },
    async inject(cluster, round) {
      const primary = await cluster.primary()
      const seconds = round % 2 === 1 ? 30 : -30
      primary.setClock(seconds)
      const end = async () => primary.setClock(0)
      return { what: `${primary.name} ${seconds} s`, lasts_ms: 15_000, end }
    },
  },
  switchover: {
    title: 'switchover to the synchronous standby',
    floor: { seconds: 0, reason: 'the standby is promoted' },
    async inject(cluster) {
      const [primary, candidate] = [await cluster.primary(), await cluster.synchronousStandby()]
      const { status, body } = await primary.post('/switchover', {
        leader: primary.name,
        candidate: candidate.name,
      })
      if (status !== 200) throw new Error(`the switchover failed: ${body}`)
      return { what: `${primary.name} to ${candidate.name}`, lasts_ms: 0 }
    },
  },
} satisfies Record<string, ClusterFault>

async function killNode(node: DatabaseNode): Promise<InjectedClusterFault> {
  await node.kill()
  return { what: node.name, lasts_ms: outage_ms, end: async () => node.start() }
}

async function freezeNode(node: DatabaseNode): Promise<InjectedClusterFault> {
  node.freeze()
  return { what: node.name, lasts_ms: outage_ms, end: async () => node.thaw() }
}

async function cutOffNode(node: DatabaseNode): Promise<InjectedClusterFault> {
  node.place.cutOff()
  return { what: node.name, lasts_ms: outage_ms, end: async () => node.place.reconnect() }
}
