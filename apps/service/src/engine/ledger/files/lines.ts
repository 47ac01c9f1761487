import type { TransactionOutcome } from '../../db/open.ts'
import type { StoredEntry, StoredNote } from '../ledger.ts'
import { type WriterOptions, openWriter } from './writer.ts'

/**
 * The text of a file: a header, then one line for each entry, for the positions of each transaction that ended, or for each note.
 * `floor` is the position below which nothing more is written.
 */
type LedgerLine =
  | ({ line: 'entry' } & Omit<StoredEntry, 'ledger'>)
  | { line: 'committed' | 'rolled_back'; floor: number; positions: number[] }
  | ({ line: 'note' } & StoredNote)

const format = 'vidimus-ledger-1'

export function headerLine(name: string): string {
  return `${format} ${name}\n`
}

function entryLine({ position, kind, day, hash, at }: Omit<StoredEntry, 'ledger'>): string {
  return `entry ${position} ${kind} ${day ?? '-'} ${hash.toString('base64url')} ${at}\n`
}

function endLine(
  line: 'committed' | 'rolled_back',
  { floor, positions }: { floor: number; positions: readonly number[] },
): string {
  return `${line} ${floor} ${positions.join(' ')}\n`
}

export function noteLine({ kind, day, hash, generation }: StoredNote): string {
  return `note ${kind} ${day ?? '-'} ${hash.toString('base64url')} ${generation ?? '-'}\n`
}

/** Undefined for a line that was not written in full, or by a later version. */
export function parseLine(text: string): LedgerLine | undefined {
  const [line, ...fields] = text.split(' ')
  if (line === 'entry') return parseEntry(fields)
  if (line === 'note') return parseNote(fields)
  if (line !== 'committed' && line !== 'rolled_back') return undefined
  const [floor = Number.NaN, ...positions] = fields.map(Number)
  return [floor, ...positions].every(Number.isSafeInteger) ? { line, floor, positions } : undefined
}

/** Whether a line is the header of a file of this name, in a format that this version reads. */
export function isHeader(text: string, name: string): boolean {
  return `${text}\n` === headerLine(name)
}

function parseEntry([position = '', kind = '', day = '', hash = '', at = '']: string[]):
  | LedgerLine
  | undefined {
  if (!isKind(kind) || !/^\d+$/.test(position) || !isHash(hash) || !/^\d{4}-.*Z$/.test(at)) return undefined
  const optional = day === '-' ? {} : { day }
  return { line: 'entry', position: Number(position), kind, ...optional, hash: readHash(hash), at }
}

function parseNote([kind = '', day = '', hash = '', generation = '']: string[]): LedgerLine | undefined {
  if (!isKind(kind) || !isHash(hash) || !/^(?:-|\d+)$/.test(generation)) return undefined
  const optional = {
    ...(day !== '-' && { day }),
    ...(generation !== '-' && { generation: Number(generation) }),
  }
  return { line: 'note', kind, ...optional, hash: readHash(hash) }
}

const isKind = (text: string) => /^[a-z_]+$/.test(text)
const isHash = (text: string) => /^[A-Za-z0-9_-]{22}$/.test(text)
const readHash = (text: string) => Buffer.from(text, 'base64url')

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
