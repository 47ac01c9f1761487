import type { TransactionOutcome } from '../db/transaction-end.ts'
import { endLine, entryLine, headerLine } from './lines.ts'
import type { StoredEntry } from './ledger.ts'
import { openWriter, type WriterOptions } from './writer.ts'

/** A file of entries that this process writes. */
export type EntryFile = {
  name: string
  /** Takes the next positions. `end` must be called for them, whatever happens. */
  reserve(count: number): number[]
  /** Appends entries durably. */
  append(entries: readonly Omit<StoredEntry, 'ledger'>[]): Promise<void>
  /** Records how the transaction of these positions ended, without waiting until that is durable. */
  end(positions: readonly number[], outcome: TransactionOutcome): Promise<void>
  bytes(): number
  failed(): boolean
  /** Closes the file once all its transactions have ended. */
  retire(): Promise<void>
}

/** Creates a file. Its positions are counted from 0, in the order in which they are taken, not in that of the lines. */
export async function openEntryFile({
  storage,
  name,
  onWrite,
}: Omit<WriterOptions, 'first'>): Promise<EntryFile> {
  const writer = await openWriter({ storage, name, first: headerLine(name), onWrite })
  let next = 0
  /** Taken, and not written yet. */
  const unwritten = new Set<number>()
  const appended = new Set<number>()
  let open = 0
  let isRetired = false
  const findFloor = () => unwritten.values().reduce((least, position) => Math.min(least, position), next)

  async function closeIfDone(): Promise<void> {
    if (isRetired && open === 0) await writer.close()
  }

  return {
    name,
    reserve(count) {
      open += count
      return Array.from({ length: count }, () => {
        unwritten.add(next)
        next += 1
        return next - 1
      })
    },
    async append(entries) {
      const text = entries.map(entryLine).join('')
      await writer.write({ text: () => text, durable: true })
      for (const { position } of entries) {
        unwritten.delete(position)
        appended.add(position)
      }
    },
    async end(positions, outcome) {
      const written = positions.filter((position) => appended.delete(position))
      for (const position of positions) unwritten.delete(position)
      try {
        if (written.length > 0 && outcome !== 'unknown' && !writer.failed())
          await writer.write({
            text: () => endLine(outcome, { floor: findFloor(), positions: written }),
            durable: false,
          })
      } finally {
        open -= positions.length
        await closeIfDone()
      }
    },
    bytes: () => writer.bytes(),
    failed: () => writer.failed(),
    async retire() {
      isRetired = true
      await closeIfDone()
    },
  }
}
