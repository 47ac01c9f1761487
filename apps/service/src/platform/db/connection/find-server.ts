import { userInfo } from 'node:os'
import { Client } from 'pg'

/** What a program for trying out can find without being told where PostgreSQL is. */
export type ServerSearchResult =
  | { found: true; url: string }
  | { found: false; listening: boolean; users: string[] }

export const defaultPort = 5432
const connectTimeout_ms = 2000
const socketFolders = ['/var/run/postgresql', '/tmp']

/** Looks for a PostgreSQL of this machine that lets us in without being told a password. */
export async function findServer(port = defaultPort): Promise<ServerSearchResult> {
  const users = [...new Set(['postgres', userInfo().username])]
  const urls = users.flatMap((user) => [
    `postgres://${user}@127.0.0.1:${port}/postgres`,
    ...socketFolders.map((folder) => `postgres://${user}@localhost:${port}/postgres?host=${folder}`),
  ])
  // What the usual container is started with.
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
    // A PostgreSQL that says no gives a code of five characters; a missing one gives the system's, such as ECONNREFUSED.
    return error instanceof Error && 'code' in error && /^[0-9A-Z]{5}$/.test(String(error.code))
      ? 'refused'
      : 'absent'
  } finally {
    await client.end().catch(() => {
      // It was never open.
    })
  }
}

/** The same server with another database. */
export function databaseUrl(url: string, name: string): string {
  const other = new URL(url)
  other.pathname = `/${name}`
  return other.href
}

/** Makes the database that the address names unless it is there already. True when it was made. */
export async function createDatabase(url: string): Promise<boolean> {
  return withMaintenanceDatabase(url, async (client, name) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 1) return false
    await client.query(`create database ${client.escapeIdentifier(name)}`)
    return true
  })
}

/** Drops the database that the address names, whoever is connected to it. */
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
