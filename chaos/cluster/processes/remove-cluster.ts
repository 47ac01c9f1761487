import { globSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { waitUntil } from '../../../apps/service/test/wait-until.ts'
import { killPostgres, postgresProcesses, signalAll } from '../database/database-node.ts'
import { unmountDisks } from '../database/node-disk.ts'
import { removeNetwork } from './network.ts'

/** Ends every process of the cluster in this folder, by its pid, and removes its network, its mounts and the folder. */
export async function removeCluster(folder: string): Promise<void> {
  const pids = globSync(join(folder, 'pid', '*')).map((file) => ({
    name: basename(file),
    pid: Number(readFileSync(file, 'utf8')),
  }))
  // Patroni and what depends on PostgreSQL go first, so that nothing restarts it.
  for (const { pid } of pids.filter(({ name }) => !name.startsWith('etcd'))) killOwn(folder, pid)
  const data = globSync(join(folder, 'node*', 'data'))
  for (const data_folder of data) {
    const all = postgresProcesses(data_folder)
    signalAll(all, 'SIGCONT')
    signalAll(all.slice(0, 1), 'SIGQUIT') // releases its shared memory
  }
  const ended = () => data.every((data_folder) => postgresProcesses(data_folder).length === 0)
  await waitUntil(ended, { within_ms: 10_000, every_ms: 50 }).catch(() => data.forEach(killPostgres))
  for (const { pid } of pids) killOwn(folder, pid)
  await waitUntil(() => pids.every(({ pid }) => !isOwn(folder, pid)), { every_ms: 50 })
  removeNetwork(folder)
  unmountDisks(folder)
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}

/** A process works in the folder of its cluster: a pid that the system gave to another process does not. */
function isOwn(folder: string, pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
  } catch {
    // It exited.
    return false
  }
}

function killOwn(folder: string, pid: number): void {
  try {
    if (isOwn(folder, pid)) process.kill(pid, 'SIGKILL')
  } catch {
    // It exited meanwhile.
  }
}
