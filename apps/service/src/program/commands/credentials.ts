import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { userConfigFolder } from '../../engine/config/index.ts'
import { CommandError } from './command.ts'

/** What `vidimus login` stores for the other commands. */
export type Credentials = z.infer<typeof Credentials>
const Credentials = z.object({ url: z.string(), key: z.string() })

export function credentialsFile(): string {
  return join(userConfigFolder(), 'vidimus', 'credentials.json')
}

/** Undefined if nobody has logged in. */
export function readCredentials(): Credentials | undefined {
  const file = credentialsFile()
  try {
    return Credentials.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new CommandError(`Can't read ${file}. Delete it and run \`vidimus login\` again.`)
  }
}

/** Only the user can read the file, also if it was there before with another mode. */
export function storeCredentials(credentials: Credentials): void {
  const file = credentialsFile()
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
  writeFileSync(file, '', { mode: 0o600 })
  chmodSync(file, 0o600)
  writeFileSync(file, `${JSON.stringify(credentials)}\n`)
}
