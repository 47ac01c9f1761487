import { join } from 'node:path'
import { freePort } from '../../../apps/service/test/processes/redis-server.ts'
import { waitUntil } from '../../../apps/service/test/wait-until.ts'
import { startManaged, type ManagedProcess } from '../processes/managed-process.ts'

export type EtcdMember = ManagedProcess & { address: string; isLeader(): Promise<boolean> }

/** Starts the members of an etcd cluster, in which Patroni keeps who is primary. */
export async function startEtcd(folder: string, host: string, count: number): Promise<EtcdMember[]> {
  const members = await Promise.all(
    Array.from({ length: count }, async (_, index) => ({
      name: `etcd${index + 1}`,
      client: `${host}:${await freePort()}`,
      peer: `${host}:${await freePort()}`,
    })),
  )
  const initial = members.map(({ name, peer }) => `${name}=http://${peer}`).join(',')
  const started = members.map(({ name, client, peer }) => {
    const flags = {
      name,
      'data-dir': join(folder, name),
      'log-level': 'warn',
      'listen-client-urls': `http://${client}`,
      'advertise-client-urls': `http://${client}`,
      'listen-peer-urls': `http://${peer}`,
      'initial-advertise-peer-urls': `http://${peer}`,
      'initial-cluster': initial,
      'initial-cluster-state': 'new',
      // The tests of a whole suite may run beside it: a leader that waits for the disk is not replaced at once.
      'heartbeat-interval': '250',
      'election-timeout': '2500',
      'enable-v2': 'true',
    }
    const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`)
    const member = startManaged(folder, { name, command: 'etcd', args })
    return { ...member, address: client, isLeader: () => isLeader(client) }
  })
  await waitUntil(
    async () => (await Promise.all(members.map(({ client }) => isHealthy(client)))).every(Boolean),
    {
      within_ms: 60_000,
      every_ms: 200,
    },
  )
  return started
}

async function isHealthy(address: string): Promise<boolean> {
  return (await getJson<{ health: string }>(`http://${address}/health`))?.health === 'true'
}

async function isLeader(address: string): Promise<boolean> {
  return (await getJson<{ state: string }>(`http://${address}/v2/stats/self`))?.state === 'StateLeader'
}

async function getJson<Body>(url: string): Promise<Body | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) })
    return (await response.json()) as Body // etcd's documented answer
  } catch {
    // Not running, or without a leader.
    return undefined
  }
}
