import { type FileHandle, open, readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'

const suffixes = ['.ledger', '.notes']

/** A folder on a file system that all processes mount. It must exist: creating it could hide that it is not mounted. */
export function openFolder(folder: string): LedgerStorage {
  return {
    async list() {
      const names = (await readdir(folder)).filter((name) => suffixes.some((suffix) => name.endsWith(suffix)))
      const files = await Promise.all(names.map((name) => findFile(folder, name)))
      return files.filter((file) => file !== undefined)
    },
    async read(name, from) {
      const file = await open(join(folder, name), 'r')
      try {
        const { size } = await file.stat()
        const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(0, size - from)), {
          position: from,
        })
        return buffer.subarray(0, bytesRead)
      } finally {
        await file.close()
      }
    },
    async create(name, first) {
      const path = join(folder, name)
      const file = await open(path, 'ax', 0o600)
      try {
        await file.appendFile(first)
        await file.sync()
        await syncFolder(folder)
        return await appendTo(file, path)
      } catch (error) {
        await file.close()
        await unlink(path).catch(() => {
          // It stays with its header at most, which says nothing.
        })
        throw error
      }
    },
    remove: (name) => unlink(join(folder, name)),
  }
}

async function findFile(folder: string, name: string): Promise<StoredFile | undefined> {
  try {
    return { name, bytes: (await stat(join(folder, name))).size }
  } catch (error) {
    // Removed meanwhile, because its retention is over.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** The file's name is part of the folder, which has to be durable too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function appendTo(file: FileHandle, path: string): Promise<StoredAppender> {
  const { ino, dev, size } = await file.stat()
  let bytes = size
  return {
    async append(text, { durable }) {
      try {
        await file.appendFile(text)
        if (durable) {
          await file.datasync()
          // Writing to a file that was removed, or whose folder was, succeeds and helps nobody.
          const found = await stat(path)
          if (found.ino !== ino || found.dev !== dev) throw new Error(`${path} was replaced`)
        }
        bytes += Buffer.byteLength(text)
      } catch (error) {
        await file.truncate(bytes).catch(() => {
          // What was written stays, as entries in doubt.
        })
        throw error
      }
    },
    close: () => file.close(),
  }
}

/** Where the files of a ledger are kept. A mounted folder is one; an object store would write each append as an object. */
export type LedgerStorage = {
  list(): Promise<StoredFile[]>
  /** The bytes of a file from an offset on. */
  read(name: string, from: number): Promise<Buffer>
  /** Creates a file with its first bytes, durably. Only this process appends to it. */
  create(name: string, first: string): Promise<StoredAppender>
  remove(name: string): Promise<void>
}

export type StoredFile = { name: string; bytes: number }

type StoredAppender = {
  /** Appends a text. `durable`: only returns once it would survive a power cut. After an error nothing more may be appended. */
  append(text: string, how: { durable: boolean }): Promise<void>
  close(): Promise<void>
}
