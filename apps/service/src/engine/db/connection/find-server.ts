import { userInfo } from 'node:os'
import { Client } from 'pg'

/** The result of looking for a local PostgreSQL without configuration. */
export type ServerSearchResult =
  | { found: true; url: string }
  | { found: false; listening: boolean; users: string[] }

export const defaultPort = 5432
const connectTimeout_ms = 2000
const socketFolders = ['/var/run/postgresql', '/tmp']

/** Looks for a PostgreSQL on this machine that accepts us without a configured password. */
export async function findServer(port = defaultPort): Promise<ServerSearchResult> {
  const users = [...new Set(['postgres', userInfo().username])]
  const urls = users.flatMap((user) => [
    `postgres://${user}@127.0.0.1:${port}/postgres`,
    ...socketFolders.map((folder) => `postgres://${user}@localhost:${port}/postgres?host=${folder}`),
  ])
  // The official container's usual credentials.
  urls.push(`postgres://postgres:postgres@127.0.0.1:${port}/postgres`)
  let listening = false
  for (const url of urls) {
    const tried = await tryServer(url)
    if (tried === 'open') return { found: true, url }
    listening ||= tried === 'refused'
  }
  return { found: false, listening, users }
}

async function tryServer(url: string): Promise<'open' | 'refused' | 'absent'> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectTimeout_ms })
  try {
    await client.connect()
    return 'open'
  } catch (error) {
    // If PostgreSQL rejects us, the code is a SQLSTATE of five characters; if there is none, it is a system error such as ECONNREFUSED.
    return error instanceof Error && 'code' in error && /^[0-9A-Z]{5}$/.test(String(error.code))
      ? 'refused'
      : 'absent'
  } finally {
    await client.end().catch(() => {
      // It was never connected.
    })
  }
}

/** The same server with a different database. */
export function databaseUrl(url: string, name: string): string {
  const other = new URL(url)
  other.pathname = `/${name}`
  return other.href
}

/** Creates the database named by the URL unless it exists. True if it was created. */
export async function createDatabase(url: string): Promise<boolean> {
  return withMaintenanceDatabase(url, async (client, name) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 1) return false
    await client.query(`create database ${client.escapeIdentifier(name)}`)
    return true
  })
}

/** Drops the database named by the URL, disconnecting whoever uses it. */
export async function dropDatabase(url: string): Promise<void> {
  await withMaintenanceDatabase(url, (client, name) =>
    client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`),
  )
}

async function withMaintenanceDatabase<Result>(
  url: string,
  use: (client: Client, name: string) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: databaseUrl(url, 'postgres') })
  await client.connect()
  try {
    return await use(client, decodeURIComponent(new URL(url).pathname.slice(1)))
  } finally {
    await client.end()
  }
}
