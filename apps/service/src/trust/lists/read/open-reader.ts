import { TaskLimitError, type ThreadPoolLimits, openThreadPool } from '../../../engine/threads/index.ts'
import { readCopy, type ListCopy, type ReadCopy } from './read-copy.ts'

export type ListReader = AsyncDisposable & { read: (copy: ListCopy) => Promise<ReadCopy> }

/**
 * Reading a list of 5 MB takes a second or two and, as parsed objects, some hundred megabytes. So lists are read one at a time,
 * however many are due.
 */
export const readerBounds: ThreadPoolLimits = {
  maxTasksPerOwner: 100,
  maxTasks: 100,
  maxBytesPerOwner: 128 * 1024 * 1024,
  maxBytes: 128 * 1024 * 1024,
  cpu_ms: 30_000,
  deadline_ms: 240_000,
  maxHeap_mb: 1024,
}

/** Reading a smaller list takes less time than starting a thread, and too little to delay anything else. */
export const maxInline_bytes = 128 * 1024

/** Reads trust lists: large ones and all XML ones in a thread, which ends when the reader is disposed of. */
export function openListReader(bounds: ThreadPoolLimits = readerBounds): ListReader {
  const pool = openThreadPool<ListCopy, ReadCopy>({
    file: new URL('./read-thread.ts', import.meta.url),
    size: 1,
    maxThreadsPerOwner: 1,
    bounds,
    resolveLookup: async () => undefined, // a list needs none
  })
  return {
    async read(copy) {
      if (copy.reading.format !== 'xml' && copy.bytes.length <= maxInline_bytes) return readCopy(copy)
      try {
        return await pool.run({ owner: 'lists', bytes: copy.bytes.length, task: copy })
      } catch (error) {
        if (error instanceof TaskLimitError)
          return { error: `the trust list cannot be read: ${error.message}` }
        throw error
      }
    },
    [Symbol.asyncDispose]: () => pool.close(),
  }
}
