import { Client } from 'pg'

/** The environment variable with the address of the server on which tests create their databases. */
export const serverVariable = 'TEST_DATABASE_SERVER'

/** Read at each call: test runs and benchmarks that start their own server set the variable. */
export function databaseUrl(name: string): string {
  return `${process.env[serverVariable] ?? 'postgres://postgres@127.0.0.1:5432'}/${name}`
}

/** A connection for creating and dropping databases, closed by `await using`. */
export async function connectAsAdmin(): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: databaseUrl('postgres') })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}
