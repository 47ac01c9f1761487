import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdirSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectAsAdmin } from './postgres.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

const size_megabytes = 96

export type SmallDisk = {
  database: TestDatabase
  /** Takes all space that is left. */
  fill(): void
  /** Gives it back. */
  free(): void
} & AsyncDisposable

/** A database on a small file system of its own, which only root can mount. The server's other files, such as its WAL, are elsewhere. */
export async function createDatabaseOnSmallDisk(): Promise<SmallDisk> {
  await using stack = new AsyncDisposableStack()
  const mounted = mkdtempSync(join(tmpdir(), 'vidimus-disk-'))
  stack.defer(() => rmSync(mounted, { recursive: true }))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size_megabytes}m,mode=755`, 'tmpfs', mounted])
  stack.defer(() => void execFileSync('umount', [mounted]))
  const location = join(mounted, 'tables')
  mkdirSync(location, { mode: 0o700 })
  const admin = stack.use(await connectAsAdmin())
  const { rows } = await admin.query<{ folder: string }>(`select current_setting('data_directory') as folder`)
  const { uid, gid } = statSync(rows[0]?.folder ?? '')
  chownSync(location, uid, gid)
  const tablespace = `vidimus_test_${randomBytes(6).toString('hex')}`
  await admin.query(`create tablespace ${tablespace} location '${location}'`)
  stack.defer(async () => void (await admin.query(`drop tablespace ${tablespace}`)))
  const database = await createTestDatabase()
  await admin.query(`alter database ${database.name} set tablespace ${tablespace}`)
  const padding = join(mounted, 'padding')
  const opened = stack.move()
  return {
    database: { ...database, [Symbol.asyncDispose]: async () => {} },
    fill() {
      const { bavail, bsize } = statfsSync(mounted)
      writeFileSync(padding, Buffer.alloc(bavail * bsize))
    },
    free: () => rmSync(padding, { force: true }),
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await opened.disposeAsync()
    },
  }
}
