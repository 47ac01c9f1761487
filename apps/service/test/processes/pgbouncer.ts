import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from './redis-server.ts'
import { waitUntil } from '../wait-until.ts'

export type PgBouncerOptions = { database_url: string; pool_mode: 'session' | 'transaction' }

/** Starts PgBouncer in front of a database, with Debian's defaults except for the pool mode. */
export async function startPgBouncer({ database_url, pool_mode }: PgBouncerOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-pgbouncer-'))
  const target = new URL(database_url)
  const port = await freePort()
  const settings = join(folder, 'pgbouncer.ini')
  writeFileSync(
    settings,
    [
      '[databases]',
      `behind = host=${target.hostname} port=${target.port || 5432} dbname=${target.pathname.slice(1)} user=${target.username}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      `pool_mode = ${pool_mode}`,
    ].join('\n'),
  )
  // PgBouncer refuses to run as root, and the user it switches to must be able to read the file.
  chmodSync(folder, 0o755)
  const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
  const child = spawn('pgbouncer', [...user, settings], { stdio: 'ignore' })
  const url = `postgres://${target.username}@127.0.0.1:${port}/behind`
  await waitUntil(() => isReady(url))
  return {
    url,
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
      rmSync(folder, { recursive: true })
    },
  }
}

async function isReady(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url })
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    // Not yet.
    return false
  }
}
