import { connectAsAdmin } from './postgres.ts'

/**
 * Puts another database in the place of one, as a restore or a failover does: its connections end, and new ones reach the other
 * database under the same name.
 */
export async function swapDatabases(name: string, replacement: string): Promise<void> {
  await using admin = await connectAsAdmin()
  for (const each of [name, replacement]) {
    await admin.query(`alter database ${each} allow_connections false`)
    await admin.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [
      each,
    ])
  }
  await admin.query(`alter database ${name} rename to ${name}_old`)
  await admin.query(`alter database ${replacement} rename to ${name}`)
  await admin.query(`alter database ${name}_old rename to ${replacement}`)
  for (const each of [name, replacement]) await admin.query(`alter database ${each} allow_connections true`)
}
