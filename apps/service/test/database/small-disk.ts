import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdirSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectAsAdmin } from './postgres.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

const databaseSize_megabytes = 96

export type SmallDisk = {
  folder: string
  /** Takes all space that is left. */
  fill(): void
  /** Gives it back. */
  free(): void
} & Disposable

/** A small file system of its own, which only root can mount. */
export function mountSmallDisk(size_megabytes = databaseSize_megabytes): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size_megabytes}m,mode=755`, 'tmpfs', folder])
  const padding = join(folder, 'padding')
  return {
    folder,
    fill() {
      const { bavail, bsize } = statfsSync(folder)
      try {
        writeFileSync(padding, Buffer.alloc(bavail * bsize))
      } catch (error) {
        // The server took a part of it meanwhile: it is full all the same.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      }
    },
    free: () => rmSync(padding, { force: true }),
    [Symbol.dispose]() {
      execFileSync('umount', [folder])
      rmSync(folder, { recursive: true })
    },
  }
}

/** A folder on such a disk for a tablespace of the server that has this data directory. */
export function prepareTablespace({ folder }: SmallDisk, data_directory: string): string {
  const location = join(folder, 'tables')
  mkdirSync(location, { mode: 0o700 })
  const { uid, gid } = statSync(data_directory)
  chownSync(location, uid, gid)
  return location
}

type DatabaseOnSmallDisk = Pick<SmallDisk, 'fill' | 'free'> & { database: TestDatabase } & AsyncDisposable

/** A database on a small disk. The server's other files, such as its WAL, are elsewhere. */
export async function createDatabaseOnSmallDisk(): Promise<DatabaseOnSmallDisk> {
  await using stack = new AsyncDisposableStack()
  const disk = stack.use(mountSmallDisk())
  const admin = stack.use(await connectAsAdmin())
  const { rows } = await admin.query<{ folder: string }>(`select current_setting('data_directory') as folder`)
  const location = prepareTablespace(disk, rows[0]?.folder ?? '')
  const tablespace = `vidimus_test_${randomBytes(6).toString('hex')}`
  await admin.query(`create tablespace ${tablespace} location '${location}'`)
  stack.defer(async () => void (await admin.query(`drop tablespace ${tablespace}`)))
  const database = await createTestDatabase()
  await admin.query(`alter database ${database.name} set tablespace ${tablespace}`)
  const opened = stack.move()
  return {
    database: { ...database, [Symbol.asyncDispose]: async () => {} },
    fill: () => disk.fill(),
    free: () => disk.free(),
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await opened.disposeAsync()
    },
  }
}
