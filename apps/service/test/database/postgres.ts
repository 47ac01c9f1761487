import { Client } from 'pg'

/** Read at each call: a benchmark that starts its own server sets the variable. */
export function databaseUrl(name: string): string {
  return `${process.env['TEST_DATABASE_SERVER'] ?? 'postgres://postgres@127.0.0.1:5432'}/${name}`
}

/** A connection for creating and dropping databases, closed by `await using`. */
export async function connectAsAdmin(): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: databaseUrl('postgres') })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}
