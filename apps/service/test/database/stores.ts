import { openDatabase, type Database } from '../../src/engine/db/open.ts'
import { openMemoryMasterKey } from '../../src/engine/keyring/master-key.ts'
import { openKeyring, type Keyring } from '../../src/engine/keyring/open.ts'
import { type Ledger, noLedger } from '../../src/engine/ledger/ledger.ts'
import { openLog, type Log } from '../../src/engine/observability/log.ts'
import { sql } from '../../src/engine/db/sql.ts'
import { createTestDatabase } from './test-database.ts'

export type TestStores = { db: Database; keyring: Keyring; ledger: Ledger; log: Log; lines: string[] }

/** A test database with its key ring, for tests without HTTP. `openAnother` acts as a second process on it. */
export async function openTestStores(): Promise<
  TestStores & { openAnother(): Promise<TestStores> } & AsyncDisposable
> {
  const database = await createTestDatabase()
  const opened: Database[] = []
  const lines: string[] = []
  const openAnother = async () => {
    const db = openDatabase({ url: database.url, poolSize: 5 })
    opened.push(db)
    const keyring = await openKeyring({ db, master_keys: [openMemoryMasterKey(Buffer.alloc(32, 7))] })
    const log = openLog({ LOG_LEVEL: 'info' }, { write: (line) => void lines.push(line) })
    return { db, keyring, ledger: noLedger, log, lines }
  }
  return {
    ...(await openAnother()),
    openAnother,
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((db) => db.close()))
      await database[Symbol.asyncDispose]()
    },
  }
}

/** The time of the service's clock, in seconds since 1970. */
export async function readClock(db: Database): Promise<number> {
  const [row] = await db.query<{ now: number }>(sql`select extract(epoch from service_now())::float8 as now`)
  return row?.now ?? Number.NaN
}
