import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A temporary file between a writer and a slower reader. It is unlinked at once, so it disappears with the process at the latest. */
export type TemporaryFile = {
  append(text: string): Promise<void>
  /** Marks the end. With an error, the reader fails when it has read everything before it. */
  end(error?: Error): void
  /** Everything appended so far and from now on. Throws the error that the writer ended with. */
  read(): AsyncGenerator<Buffer>
} & AsyncDisposable

const chunk_bytes = 64 * 1024

export async function openTemporaryFile(): Promise<TemporaryFile> {
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
        // Checked before the read: the next iteration finds anything appended in between.
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
