import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../../apps/service/test/processes/redis-server.ts'
import type { NodePlace } from './network.ts'
import { startManaged, type ManagedProcess } from './managed-process.ts'

export type ProxyOptions = {
  folder: string
  nodes: readonly NodePlace[]
  /** Ports of the `serve` processes, on loopback. */
  serve_ports: readonly number[]
}

export type ClusterProxy = ManagedProcess & { database_port: number; service_port: number }

const reference = new URL('../../../deploy/haproxy.cfg', import.meta.url)

/** HAProxy in front of the database and of the service, with the file that operators get. Only its addresses are replaced. */
export async function startHaproxy({ folder, nodes, serve_ports }: ProxyOptions): Promise<ClusterProxy> {
  const [database_port, service_port, writes_port] = [await freePort(), await freePort(), await freePort()]
  const addresses: Record<string, string> = {
    'bind 127.0.0.1:5000': `bind 127.0.0.1:${database_port}`,
    'bind :8000': `bind 127.0.0.1:${service_port}`,
    'bind 127.0.0.1:8001': `bind 127.0.0.1:${writes_port}`,
    'server self 127.0.0.1:8001': `server self 127.0.0.1:${writes_port}`,
  }
  let text = readFileSync(reference, 'utf8')
  for (const [address, replacement] of Object.entries(addresses)) {
    if (!text.includes(address)) throw new Error(`deploy/haproxy.cfg does not contain ${address}`)
    text = text.replace(address, replacement)
  }
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, text.split('\n').flatMap(replaceServer).join('\n'))
  const proxy = startManaged(folder, { name: 'haproxy', command: 'haproxy', args: ['-db', '-f', file] })
  return { ...proxy, database_port, service_port }

  /** A server that this cluster does not have is left out. */
  function replaceServer(line: string): string[] {
    const [, kind, number] = /^ +server (pg|serve)(\d+) /.exec(line) ?? []
    if (kind === undefined) return [line]
    const place = nodes[Number(number) - 1]
    const port = serve_ports[Number(number) - 1]
    if (kind === 'pg')
      return place === undefined
        ? []
        : [
            line
              .replace(/ 10[.\d]+:\d+/, ` ${place.host}:${place.database_port}`)
              .replace(/ port \d+/, ` port ${place.rest_port}`),
          ]
    return port === undefined ? [] : [line.replace(/ 10[.\d]+:\d+/, ` 127.0.0.1:${port}`)]
  }
}
