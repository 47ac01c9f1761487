import type { Client, ClientBase, QueryResult } from 'pg'
import { QueryTimeoutError } from '../failures.ts'
import type { Statement } from '../sql.ts'

/** Runs a statement with a time limit. Destroying the socket fails the statement and everything queued behind it on the connection. */
export async function queryWithTimeout<Row extends object>(
  client: ClientBase,
  statement: Statement | string,
  limit_ms: number,
): Promise<QueryResult<Row>> {
  const giveUp = () =>
    streamOf(client).destroy(new QueryTimeoutError(`PostgreSQL did not respond within ${limit_ms} ms`))
  let last: NodeJS.Immediate | undefined
  // If the event loop was late, read first what has arrived meanwhile.
  const timer = setTimeout(() => (last = setImmediate(giveUp)), limit_ms)
  try {
    return await sendQuery<Row>(client, statement)
  } catch (error) {
    // It was made where the server's message was read. Whoever reads it wants to know who sent the statement.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  } finally {
    clearTimeout(timer)
    clearImmediate(last)
  }
}

/** With pg's callback: what its own promises refer to lives until V8 collects its old objects, 700 bytes for each statement and more. */
function sendQuery<Row extends object>(
  client: ClientBase,
  statement: Statement | string,
): Promise<QueryResult<Row>> {
  return new Promise((resolve, reject) => {
    const onEnd = (error: Error | null, result: QueryResult<Row>) =>
      error === null ? resolve(result) : reject(error)
    if (typeof statement === 'string') client.query<Row>(statement, onEnd)
    else client.query<Row>(statement, onEnd)
  })
}

export function streamOf(client: ClientBase) {
  // Every client of the pool is a Client; the pool's types only know the base class.
  return (client as Client).connection.stream
}
