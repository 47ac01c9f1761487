import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { CommandError } from '../command.ts'

/** What `vidimus dev` has to remember from one start to the next, under the names that a shell can load. */
export type DevSettings = {
  DATABASE_URL: string
  MASTER_KEY: string
  VIDIMUS_URL: string
  VIDIMUS_TENANT: string
  VIDIMUS_KEY: string
  VIDIMUS_WEBHOOK_SECRET: string
}

const names = [
  'DATABASE_URL',
  'MASTER_KEY',
  'VIDIMUS_URL',
  'VIDIMUS_TENANT',
  'VIDIMUS_KEY',
  'VIDIMUS_WEBHOOK_SECRET',
] as const

const heading = '# Of `vidimus dev`, for this machine alone. Load it with: . ./.vidimus/dev.env\n'

/** The file that keeps them. Keys are shown once, and only hashes of them lie in the database: without it there would be new ones each time. */
export function settingsFile(folder: string): string {
  return join(folder, 'dev.env')
}

/** What was kept for this database. What belongs to another is not written over: its master key would be gone. */
export function readDevSettings(folder: string, database_url: string): Partial<DevSettings> {
  const saved = parseFile(folder)
  if (saved.DATABASE_URL === undefined || saved.DATABASE_URL === database_url) return saved
  throw new CommandError(
    `${settingsFile(folder)} belongs to another database. Keep this trial apart with --folder, or remove that file if you are done with it.`,
  )
}

/** The master key of this database: given, kept, or new. */
export function masterKeyFor(saved: Partial<DevSettings>): string {
  return saved.MASTER_KEY ?? randomBytes(32).toString('base64')
}

export function saveDevSettings(folder: string, settings: Partial<DevSettings>): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lines = names.flatMap((name) => {
    const value = settings[name]
    return value === undefined ? [] : [`export ${name}='${value.replaceAll("'", '%27')}'\n`]
  })
  writeFileSync(settingsFile(folder), heading + lines.join(''), { mode: 0o600 })
}

function parseFile(folder: string): Partial<DevSettings> {
  try {
    const read = parseEnv(readFileSync(settingsFile(folder), 'utf8'))
    return Object.fromEntries(names.filter((name) => read[name]).map((name) => [name, read[name]]))
  } catch {
    // The first start: there is no such file yet.
    return {}
  }
}
