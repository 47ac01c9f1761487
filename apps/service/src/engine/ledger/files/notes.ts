import type { LedgerFiles } from './compare.ts'
import type { StoredNote } from '../ledger.ts'
import { headerLine, noteLine, parseLine } from './lines.ts'
import { splitLines } from './read-tail.ts'
import type { LedgerStorage } from './folder-storage.ts'
import { maxFile_bytes, maxWaiting, openWriter, type Writer } from './writer.ts'

type NotesOptions = { storage: LedgerStorage; newName: () => string; onFailure: (error: unknown) => void }

/** Writes notes to files of their own, which are many and kept for days only. Nobody waits for them. */
export function openNotes({ storage, newName, onFailure }: NotesOptions) {
  let writer: Writer | undefined
  let queue: StoredNote[] = []
  let writing: Promise<void> | undefined

  async function writeQueued(): Promise<void> {
    while (queue.length > 0) {
      const notes = queue
      queue = []
      try {
        const file = await useWriter()
        await file.write({ text: () => notes.map(noteLine).join(''), durable: false })
      } catch (error) {
        onFailure(error)
      }
    }
    writing = undefined
  }

  async function useWriter(): Promise<Writer> {
    if (writer !== undefined && !writer.failed() && writer.bytes() < maxFile_bytes) return writer
    const previous = writer
    writer = undefined
    await previous?.close()
    const name = `${newName()}.notes`
    return (writer = await openWriter({ storage, name, first: headerLine(name), onWrite: () => {} }))
  }

  return {
    /** Notes beyond `maxWaiting` are dropped. */
    write(notes: readonly StoredNote[]): void {
      if (queue.length + notes.length > maxWaiting) return
      queue.push(...notes)
      if (queue.length > 0) writing ??= writeQueued()
    },
    async close(): Promise<void> {
      await writing
      await writer?.close()
    },
  }
}

/** Every note that can be read. A note that cannot was not required. */
export async function* readNotes({ storage, ring }: LedgerFiles): AsyncGenerator<StoredNote> {
  for (const { name } of await storage.list()) {
    if (!name.endsWith('.notes') || !name.startsWith(ring)) continue
    for (const { text } of splitLines(await storage.read(name, 0), 0)) {
      const parsed = parseLine(text)
      if (parsed?.line !== 'note') continue
      const { line: _, ...note } = parsed
      yield note
    }
  }
}
