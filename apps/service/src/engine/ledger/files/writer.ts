import { coalesce } from '../../db/coalesce.ts'
import type { LedgerStorage } from './folder-storage.ts'

/** A file of this size is followed by a new one. */
export const maxFile_bytes = 8 * 1024 * 1024
/** The most lines in one write, and the most that wait for one. */
export const maxBatch = 1000
export const maxWaiting = 10_000

/** `text` is composed when it is written. `durable`: the call returns only once the text would survive a power cut. */
type WriteCall = { text: () => string; durable: boolean }

export type Writer = {
  name: string
  write(call: WriteCall): Promise<void>
  bytes(): number
  /** After a failed write the file is not used any more: its end may be unreadable. */
  failed(): boolean
  close(): Promise<void>
}

export type WriterOptions = {
  storage: LedgerStorage
  name: string
  first: string
  onWrite: (written: { calls: number; durable: boolean }) => void
}

/** Creates a file. What is written while a write is running is written together next, with one sync for all. */
export async function openWriter({ storage, name, first, onWrite }: WriterOptions): Promise<Writer> {
  const appender = await storage.create(name, first)
  let bytes = Buffer.byteLength(first)
  let failure: unknown
  const write = coalesce<WriteCall, void>({
    maxBatch,
    maxWaiting,
    async run(calls) {
      if (failure !== undefined) throw failure
      const text = calls.map((call) => call.text()).join('')
      const durable = calls.some((call) => call.durable)
      try {
        await appender.append(text, { durable })
      } catch (error) {
        failure = error
        throw error
      }
      bytes += Buffer.byteLength(text)
      onWrite({ calls: calls.length, durable })
      return calls.map(() => {})
    },
  })
  return {
    name,
    write,
    bytes: () => bytes,
    failed: () => failure !== undefined,
    close: () => appender.close(),
  }
}
