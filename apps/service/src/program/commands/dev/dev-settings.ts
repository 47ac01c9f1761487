import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { CommandError } from '../command.ts'

/** What `vidimus dev` keeps between starts, named so that a shell can load it. */
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

/** Where `vidimus dev` saves its settings unless told otherwise. */
export const defaultFolder = '.vidimus'

const heading = '# Written by `vidimus dev`, for this machine only. Load it with: . ./.vidimus/dev.env\n'

/** Keys are stored only as hashes, so without this file every start would have to create new ones. */
export function settingsFile(folder: string): string {
  return join(folder, 'dev.env')
}

/** The saved settings, unless they belong to another database. Those are not overwritten: its master key would be lost. */
export function readDevSettings(folder: string, database_url: string | undefined): Partial<DevSettings> {
  const saved = parseFile(folder)
  if (database_url === undefined || saved.DATABASE_URL === undefined || saved.DATABASE_URL === database_url)
    return saved
  throw new CommandError(
    `${settingsFile(folder)} belongs to another database. Use another --folder, or delete that file if you no longer need it.`,
  )
}

/** The saved master key of this database, or a new one. */
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

/** Replaces the webhook secret of a tenant that `vidimus dev` created in this folder, after a rotation. */
export function updateDevSecret(folder: string, tenant_id: string, secret: string): void {
  const saved = parseFile(folder)
  if (saved.VIDIMUS_TENANT === tenant_id)
    saveDevSettings(folder, { ...saved, VIDIMUS_WEBHOOK_SECRET: secret })
}

function parseFile(folder: string): Partial<DevSettings> {
  try {
    const read = parseEnv(readFileSync(settingsFile(folder), 'utf8'))
    return Object.fromEntries(names.filter((name) => read[name]).map((name) => [name, read[name]]))
  } catch {
    // The first start: the file does not exist yet.
    return {}
  }
}
