import { readFileSync } from 'node:fs'
import { openDatabase, type Database } from '../../apps/service/src/engine/db/open.ts'
import { runSqlText } from '../../apps/service/test/database/clock.ts'
import { createTestDatabase } from '../../apps/service/test/database/test-database.ts'
import { benchConnections } from './cpu.ts'

export type PeerDatabase = { url: string; db: Database } & AsyncDisposable

/** A database with the peers' tables, on the server that the service uses and with the same settings. */
export async function createPeerDatabase(): Promise<PeerDatabase> {
  const database = await createTestDatabase({ empty: true })
  const db = openBenchConnections(database.url)
  await runSqlText(db, readFileSync(new URL('./programs/schema.sql', import.meta.url), 'utf8'))
  return {
    url: database.url,
    db,
    async [Symbol.asyncDispose]() {
      await db.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** Connections of the bench to a database, which the measurement of CPU time leaves out. */
export function openBenchConnections(url: string): Database {
  return openDatabase({ url, poolSize: 2, applicationName: benchConnections })
}
