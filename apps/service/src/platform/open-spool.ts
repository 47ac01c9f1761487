import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const chunk_bytes = 64 * 1024

/** A temporary file between a writer and a slower reader. It has no name, so it goes with the process at the latest. */
export type Spool = {
  append(text: string): Promise<void>
  /** No more follows; with an error, the reader is told that the rest is missing. */
  end(error?: Error): void
  /** What was appended, from the beginning, while it grows. Throws the error that the writer ended with. */
  read(): AsyncGenerator<Buffer>
} & AsyncDisposable

export async function openSpool(): Promise<Spool> {
  const path = join(tmpdir(), `vidimus-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  const changes = new EventEmitter()
  let ended: { error: Error | undefined } | undefined

  return {
    async append(text) {
      await file.appendFile(text)
      changes.emit('change')
    },
    end(error) {
      ended ??= { error }
      changes.emit('change')
    },
    async *read() {
      let position = 0
      for (;;) {
        // Asked before the read: what is appended in between is found by the next round.
        const endBeforeRead = ended
        const { bytesRead, buffer } = await file.read(
          Buffer.allocUnsafe(chunk_bytes),
          0,
          chunk_bytes,
          position,
        )
        position += bytesRead
        if (bytesRead > 0) yield buffer.subarray(0, bytesRead)
        else if (endBeforeRead?.error !== undefined) throw endBeforeRead.error
        else if (endBeforeRead !== undefined) return
        else if (ended === undefined) await once(changes, 'change')
      }
    },
    [Symbol.asyncDispose]: () => file.close(),
  }
}
