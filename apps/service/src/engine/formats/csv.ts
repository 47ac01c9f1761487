import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** What a cell may contain. Undefined is an empty cell. */
export type CsvCell = string | number | boolean | undefined

/** A spreadsheet takes a cell that begins like this for a formula, also after a tab or a line break. */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/u
const chunk_characters = 16_384

/**
 * One line as in RFC 4180. Text that a spreadsheet would run as a formula gets an apostrophe in front, because the person who opens the
 * file did not write what is in it.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`
}

function writeCell(cell: CsvCell): string {
  if (cell === undefined) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = formulaStart.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Sends lines as they are produced, and no faster than the client reads: between two reads nothing is held, and other requests are served. An error before the first
 * line is thrown; after it the download is aborted. `release` is called once, when the download has ended.
 */
export async function streamCsv(lines: AsyncGenerator<string>, release: () => void): Promise<Readable> {
  try {
    const first = await lines.next()
    const stream = Readable.from(inChunks(first.done === true ? '' : first.value, lines), {
      objectMode: false,
      highWaterMark: chunk_characters,
    })
    stream.once('close', release)
    return stream
  } catch (error) {
    release()
    throw error
  }
}

async function* inChunks(first: string, lines: AsyncGenerator<string>): AsyncGenerator<string> {
  let chunk = first
  for await (const line of lines) {
    chunk += line
    if (chunk.length < chunk_characters) continue
    yield chunk
    chunk = ''
    await nextTurn()
  }
  if (chunk !== '') yield chunk
}
