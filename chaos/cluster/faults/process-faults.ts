import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '../../../apps/service/test/wait-until.ts'
import { timing } from '../database/patroni-settings.ts'
import type { ManagedProcess } from '../processes/managed-process.ts'
import type { Cluster } from '../start-cluster.ts'
import type { ClusterFault, InjectedClusterFault } from './fault.ts'
import { databaseFaults } from './database-faults.ts'

const noFloor = { seconds: 0, reason: 'another process takes over' }
const etcdOutage_ms = 30_000

/** Faults of everything around the database. */
export const processFaults = {
  etcd_leader_killed: {
    title: 'SIGKILL of the leader of etcd, back after 10 s',
    floor: { seconds: 0, reason: 'the others elect a leader' },
    async inject({ etcd }) {
      const states = await Promise.all(etcd.map((member) => member.isLeader()))
      return killFor(etcd[Math.max(0, states.indexOf(true))], 10_000)
    },
  },
  etcd_lost: {
    title: `SIGKILL of all of etcd, back after ${etcdOutage_ms / 1000} s`,
    floor: {
      seconds: etcdOutage_ms / 1000 - timing.ttl_seconds,
      reason: 'the primary becomes read-only',
    },
    inject: killEtcd,
  },
  etcd_lost_with_failsafe: {
    title: `SIGKILL of all of etcd, back after ${etcdOutage_ms / 1000} s, with \`failsafe_mode\``,
    floor: { seconds: 0, reason: 'the primary stays' },
    cluster: { failsafe: true },
    inject: killEtcd,
  },
  haproxy_killed: {
    title: 'SIGKILL of HAProxy, back after 0.5 s',
    floor: { seconds: 0.5, reason: 'there is no other in this cluster' },
    breaksConnections: true,
    inject: ({ haproxy }) => killFor(haproxy, 500),
  },
  redis_killed: {
    title: 'SIGKILL of Redis, back after 6 s',
    floor: noFloor,
    inject: ({ redis }) => killFor(redis, 6000),
  },
  redis_frozen: {
    title: 'Redis frozen for 10 s',
    floor: noFloor,
    async inject({ redis }) {
      redis.signal('SIGSTOP')
      return { what: redis.name, lasts_ms: 10_000, end: async () => redis.signal('SIGCONT') }
    },
  },
  serve_killed: {
    title: 'SIGKILL of a `serve`, back after 1 s',
    floor: noFloor,
    inject: ({ serves }, round) => killFor(serves[round % serves.length], 1000),
  },
  work_killed: {
    title: 'SIGKILL of a `work`, back after 1 s',
    floor: noFloor,
    inject: ({ works }, round) => killFor(works[round % works.length], 1000),
  },
  rolling_restart: {
    title: 'SIGTERM and restart of every `serve` and `work`, one after the other',
    floor: noFloor,
    async inject({ serves, works }) {
      for (const serve of serves) await restart(serve, () => serve.isReady())
      for (const work of works) await restart(work, async () => work.running())
      return { what: `${serves.length + works.length} processes`, lasts_ms: 0 }
    },
  },
  several: {
    title: `the primary's node, a \`serve\`, a \`work\` and Redis killed at once`,
    floor: databaseFaults.node_killed.floor,
    async inject(cluster, round) {
      const all = [databaseFaults.node_killed, ...processKills].map((fault) => fault.inject(cluster, round))
      const injected = await Promise.all(all)
      return {
        what: injected.map(({ what }) => what).join(', '),
        lasts_ms: 0,
        end: async () => {
          await Promise.all(injected.map(({ lasts_ms, end }) => sleep(lasts_ms).then(end)))
        },
      }
    },
  },
} satisfies Record<string, ClusterFault>

const processKills: ClusterFault[] = [
  processFaults.serve_killed,
  processFaults.work_killed,
  processFaults.redis_killed,
]

async function killEtcd({ etcd }: Cluster): Promise<InjectedClusterFault> {
  await Promise.all(etcd.map((member) => member.kill()))
  return {
    what: `${etcd.length} members`,
    lasts_ms: etcdOutage_ms,
    end: async () => etcd.forEach((member) => member.start()),
  }
}

async function killFor(killed: ManagedProcess | undefined, lasts_ms: number): Promise<InjectedClusterFault> {
  if (killed === undefined) throw new Error('this cluster has no such process')
  await killed.kill()
  return { what: killed.name, lasts_ms, end: () => killed.startPersistently() }
}

/** As an operator does it: waits until the new process is ready and HAProxy has noticed. */
async function restart(restarted: ManagedProcess, isReady: () => Promise<boolean>): Promise<void> {
  await restarted.kill('SIGTERM')
  restarted.start()
  await waitUntil(isReady, { within_ms: 60_000, every_ms: 200 })
  await sleep(2000)
}
