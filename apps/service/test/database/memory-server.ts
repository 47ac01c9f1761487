import { existsSync, globSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgresServer, type PostgresServer } from '../processes/postgres-server.ts'

const memory = '/dev/shm'
const neededBytes = 4 * 1024 ** 3

/**
 * A PostgreSQL server for the databases of a test run. Each has 1,300 files, and a run creates and drops more than a thousand databases:
 * on a disk that takes a third of the run's time. So its files are in memory, where there is enough, and it never waits for a disk:
 * tests end processes of the service, never this server.
 */
export function startMemoryServer(): Promise<PostgresServer> {
  removeAbandonedFolders()
  return startPostgresServer(
    { fsync: 'off', full_page_writes: 'off', shared_buffers: '256MB', max_connections: '300' },
    { within: hasMemory() ? memory : tmpdir() },
  )
}

function hasMemory(): boolean {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize >= neededBytes
}

/** Removes what a killed run has left behind, because it occupies memory. */
function removeAbandonedFolders(): void {
  for (const folder of globSync(join(memory, 'vidimus-postgres-*')))
    if (!isRunning(folder)) rmSync(folder, { recursive: true, force: true })
}

function isRunning(folder: string): boolean {
  const file = join(folder, 'postmaster.pid')
  // Without the file it is being created by a run that has just begun, or has been stopped by one that ends.
  if (!existsSync(file)) return true
  const [pid] = readFileSync(file, 'utf8').split('\n')
  return existsSync(`/proc/${pid}`)
}
