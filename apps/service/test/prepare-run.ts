import { execFileSync } from 'node:child_process'
import { startMemoryServer } from './database/memory-server.ts'
import { serverVariable } from './database/postgres.ts'
import { templateDatabase } from './database/template-database.ts'
import type { PostgresServer } from './processes/postgres-server.ts'

let server: PostgresServer | undefined

/** Builds the guides, starts the server of the run, unless the environment names one, and creates the template database before the first test. */
export async function setup(): Promise<void> {
  execFileSync(process.execPath, ['apps/guides/build.ts'])
  if (process.env[serverVariable] === undefined) {
    server = await startMemoryServer()
    process.env[serverVariable] = server.url.replace(/\/postgres$/, '')
  }
  await templateDatabase()
}

export async function teardown(): Promise<void> {
  await server?.[Symbol.asyncDispose]()
}
