import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { rmSync, writeFileSync, readFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../../apps/service/test/processes/redis-server.ts'

/** Where a database node listens. */
export type NodePlace = {
  host: string
  database_port: number
  rest_port: number
  namespace?: string
  /** Drops every packet from and to the node, without a word to either side. */
  cutOff(): void
  reconnect(): void
}

export type ClusterNetwork = {
  /** The address at which nodes reach everything else. */
  host: string
  addNode(number: number): Promise<NodePlace>
}

const isRoot = process.getuid?.() === 0
const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })

/**
 * As root each node gets a network namespace, connected by a bridge, so that it can be cut off. Otherwise all nodes are on
 * loopback and cannot be.
 */
export function createNetwork(folder: string): ClusterNetwork {
  if (!isRoot) return { host: '127.0.0.1', addNode: addLoopbackNode }
  // Names of interfaces have at most 15 characters.
  const id = randomInt(0x10000).toString(16).padStart(4, '0')
  const subnet = `10.213.${randomInt(256)}`
  const bridge = `vdm${id}`
  const namespaces: string[] = []
  const save = () => writeFileSync(join(folder, 'network.json'), JSON.stringify({ bridge, namespaces }))
  save()
  ip('link', 'add', 'name', bridge, 'type', 'bridge')
  ip('address', 'add', `${subnet}.1/24`, 'dev', bridge)
  ip('link', 'set', bridge, 'up')
  return {
    host: `${subnet}.1`,
    async addNode(number) {
      const namespace = `${bridge}n${number}`
      const link = `${bridge}l${number}`
      namespaces.push(namespace)
      save()
      ip('netns', 'add', namespace)
      ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
      ip('link', 'set', link, 'master', bridge, 'up')
      ip('-n', namespace, 'address', 'add', `${subnet}.${10 + number}/24`, 'dev', 'eth0')
      ip('-n', namespace, 'link', 'set', 'eth0', 'up')
      ip('-n', namespace, 'link', 'set', 'lo', 'up')
      return {
        host: `${subnet}.${10 + number}`,
        database_port: 5432,
        rest_port: 8008,
        namespace,
        cutOff: () => void ip('link', 'set', link, 'nomaster'),
        reconnect: () => void ip('link', 'set', link, 'master', bridge),
      }
    },
  }
}

async function addLoopbackNode(): Promise<NodePlace> {
  const refuse = () => {
    throw new Error('a node can only be cut off in a network namespace, which needs root')
  }
  return {
    host: '127.0.0.1',
    database_port: await freePort(),
    rest_port: await freePort(),
    cutOff: refuse,
    reconnect: refuse,
  }
}

/** Removes the bridge and the namespaces of a cluster. Nothing may run in them any more. */
export function removeNetwork(folder: string): void {
  const file = join(folder, 'network.json')
  if (!existsSync(file)) return
  const { bridge, namespaces }: { bridge: string; namespaces: string[] } = JSON.parse(
    readFileSync(file, 'utf8'),
  )
  for (const args of [...namespaces.map((name) => ['netns', 'delete', name]), ['link', 'delete', bridge]]) {
    try {
      ip(...args)
    } catch {
      // It was not created, or is gone already.
    }
  }
  rmSync(file)
}
