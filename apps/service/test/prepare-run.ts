import { execFileSync } from 'node:child_process'
import { existsSync, globSync, statSync } from 'node:fs'
import { startMemoryServer } from './database/memory-server.ts'
import { serverVariable } from './database/postgres.ts'
import { templateDatabase } from './database/template-database.ts'
import { packedProgram } from './processes/packed-program.ts'
import type { PostgresServer } from './processes/postgres-server.ts'

let server: PostgresServer | undefined

/** What the guides are built from, apart from the values of the service's limits. */
const guideSources = [
  'docs/**/*.*',
  'apps/guides/{*,src/**/*,.vitepress/**/*}.{ts,vue,css,json}',
  'packages/{contract,protocol,sandbox}/src/**/*.ts',
  'tools/limits/*.ts',
]

/** Builds the guides and the program if they are out of date, starts the server of the run, unless the environment names one, and creates the template database before the first test. */
export async function setup(): Promise<void> {
  if (!guidesAreBuilt()) execFileSync(process.execPath, ['apps/guides/build.ts'])
  // After the guides, which are a part of it.
  packedProgram()
  if (process.env[serverVariable] === undefined) {
    server = await startMemoryServer()
    process.env[serverVariable] = server.url.replace(/\/postgres$/, '')
  }
  await templateDatabase()
}

export async function teardown(): Promise<void> {
  await server?.[Symbol.asyncDispose]()
}

function guidesAreBuilt(): boolean {
  const built = 'apps/guides/dist/llms.txt'
  if (!existsSync(built)) return false
  const { mtimeMs } = statSync(built)
  return globSync(guideSources).every((file) => statSync(file).mtimeMs <= mtimeMs)
}
