import type { StoredEntry, StoredNote } from './ledger.ts'

/**
 * The text of a file: a header, then one line for each entry, for the positions of each transaction that ended, or for each note.
 * `floor` is the position below which nothing more is written.
 */
export type LedgerLine =
  | ({ line: 'entry' } & Omit<StoredEntry, 'ledger'>)
  | { line: 'committed' | 'rolled_back'; floor: number; positions: number[] }
  | ({ line: 'note' } & StoredNote)

const format = 'vidimus-ledger-1'

export function headerLine(name: string): string {
  return `${format} ${name}\n`
}

export function entryLine({ position, kind, day, hash, at }: Omit<StoredEntry, 'ledger'>): string {
  return `entry ${position} ${kind} ${day ?? '-'} ${hash.toString('base64url')} ${at}\n`
}

export function endLine(
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
