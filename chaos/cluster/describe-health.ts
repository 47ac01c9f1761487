import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseNode } from './database/database-node.ts'

type ClusterParts = {
  folder: string
  nodes: readonly Pick<DatabaseNode, 'number' | 'place'>[]
  serves: readonly { name: string; address: string }[]
}

const lastLines = 8

/** What each node and each `serve` reports about itself, with the end of its log, for the error of a cluster that does not become healthy. */
export async function describeHealth({ folder, nodes, serves }: ClusterParts): Promise<string> {
  const parts = await Promise.all([
    ...nodes.map(({ number, place }) =>
      describe(folder, `patroni${number}`, `http://${place.host}:${place.rest_port}/patroni`),
    ),
    ...serves.map(({ name, address }) => describe(folder, name, `${address}/readyz`)),
  ])
  return parts.join('\n\n')
}

async function describe(folder: string, name: string, url: string): Promise<string> {
  const health = await fetch(url, { signal: AbortSignal.timeout(2000) })
    .then(async (response) => `${response.status} ${await response.text()}`)
    .catch(String)
  const log = join(folder, 'log', name)
  const lines = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n').slice(-lastLines) : []
  return [`${name}: ${health}`, ...lines].join('\n  ')
}
