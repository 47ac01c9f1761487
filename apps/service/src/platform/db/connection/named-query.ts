import { createRequire } from 'node:module'
import type { ClientBase, Connection, Submittable } from 'pg'
import type { Statement } from '../sql.ts'
import { valueParsers } from './value-parsers.ts'

export type NamedStatement = Statement & { name: string }
export type StatementResult<Row> = { rows: Row[]; rowCount: number | null; command: string }

type Column = { name: string; parse: (text: string) => unknown }

/** The messages of the driver's connection, which its types leave out. Cursors of the driver use the same ones. */
type MessageConnection = Connection & {
  stream: { cork(): void; uncork(): void }
  parsedStatements: Record<string, string | undefined>
  submittedNamedStatements: Record<string, string | undefined>
}

/** The columns of each statement that a connection knows by name. */
const describedBy = new WeakMap<Connection, Map<string, Column[]>>()

/**
 * Runs a named statement. Its columns are read when a connection first runs it: the driver's own query has them described with
 * every execution. They cannot change afterwards, because PostgreSQL refuses a prepared statement whose result type changed.
 */
export function runNamed<Row extends object>(
  client: ClientBase,
  statement: NamedStatement,
): Promise<StatementResult<Row>> {
  return new Promise<StatementResult<Row>>((resolve, reject) => {
    client.query(
      new NamedQuery<Row>(statement, (error, result) => {
        if (result === undefined) reject(error)
        else resolve(result)
      }),
    )
  }).catch((error: unknown) => {
    // As in the driver: a stack that begins at the socket says nothing about the caller.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  })
}

class NamedQuery<Row extends object> implements Submittable {
  /** Read by the driver when it has parsed the statement. */
  readonly name: string
  readonly text: string
  /** Called once: with an error, or when the connection is ready again. The driver requires this name. */
  callback: (error: unknown, result?: StatementResult<Row>) => void
  private readonly values: unknown[]
  private readonly rows: Row[] = []
  private columns: Column[] = []
  private isDescribed = false
  private connection: MessageConnection | undefined
  private tag = ''
  private parseError: unknown

  constructor(
    { name, text, values }: NamedStatement,
    callback: (error: unknown, result?: StatementResult<Row>) => void,
  ) {
    this.name = name
    this.text = text
    this.values = values
    this.callback = callback
  }

  /** Sends all messages in one write. Returns an error if nothing was sent. */
  submit(given: Connection): Error | null {
    const connection = given as MessageConnection // the driver passes its own
    this.connection = connection
    const { name, text } = this
    let values: unknown[]
    try {
      values = this.values.map((value) => (typeof value === 'string' ? value : prepareValue(value)))
    } catch (error) {
      // A value that cannot be written as text, such as a circular object.
      return error instanceof Error ? error : new Error(String(error))
    }
    const isParsed =
      connection.parsedStatements[name] !== undefined ||
      connection.submittedNamedStatements[name] !== undefined
    const columns = isParsed ? describedBy.get(connection)?.get(name) : undefined
    connection.stream.cork()
    try {
      if (!isParsed) {
        connection.parse({ name, text, types: [] }, true)
        connection.submittedNamedStatements[name] = text
      }
      connection.bind({ portal: '', statement: name, values } as never, true)
      this.isDescribed = columns !== undefined
      if (columns === undefined) connection.describe({ type: 'P', name: '' }, true)
      else this.columns = columns
      connection.execute({ portal: '' }, true)
      connection.sync()
      return null
    } finally {
      connection.stream.uncork()
    }
  }

  /** All columns come as text, because `bind` asks for nothing else. */
  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    const parserOf: (type: number) => (text: string) => unknown = valueParsers.getTypeParser
    this.columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }))
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.parseError !== undefined) return
    const row: Record<string, unknown> = {}
    try {
      let index = 0
      for (const { name, parse } of this.columns) {
        const text = fields[index] ?? null
        row[name] = text === null ? null : parse(text)
        index += 1
      }
    } catch (error) {
      // Reported when the connection is ready again.
      this.parseError = error
    }
    this.rows.push(row as Row) // as the caller declares it
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.tag = text
    if (this.isDescribed || this.connection === undefined) return
    const described = describedBy.get(this.connection) ?? new Map<string, Column[]>()
    describedBy.set(this.connection, described.set(this.name, this.columns))
  }

  handleReadyForQuery(): void {
    if (this.parseError !== undefined) return this.callback(this.parseError)
    const count = Number(this.tag.slice(this.tag.lastIndexOf(' ') + 1))
    this.callback(null, {
      rows: this.rows,
      rowCount: Number.isNaN(count) ? null : count,
      command: this.tag.split(' ', 1)[0] ?? '',
    })
  }

  handleError(error: unknown): void {
    this.callback(this.parseError ?? error)
  }

  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}
}

/** The driver's own conversion of values, which it does not export by name. */
const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils.js') as {
  prepareValue: (value: unknown) => unknown
}
