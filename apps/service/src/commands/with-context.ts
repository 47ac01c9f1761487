import { readFileSync } from 'node:fs'
import { environments, text, type Environment } from '@vidimus/contract'
import { readConfig } from '../config.ts'
import { openContext, type Context } from '../context.ts'
import { Refusal } from '../platform/refusal.ts'
import { CommandFailed, WrongUsage } from './command.ts'

/** Runs a use case for a command: opens what it needs, closes it, and tells a refused wish from a fault of the program. */
export async function withContext<Result>(use: (ctx: Context) => Promise<Result>): Promise<Result> {
  const { config, secrets } = readConfig()
  await using ctx = await openContext({
    config: { ...config, RATE_LIMITS: 'off' },
    secrets: { ...secrets, REDIS_URL: undefined },
  })
  try {
    return await use(ctx)
  } catch (error) {
    if (error instanceof Refusal) throw new CommandFailed(error.message)
    throw error
  }
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

export function uuidOf(name: string, given: string): string {
  if (!uuid.test(given)) throw new WrongUsage(`--${name} must be a UUID`)
  return given.toLowerCase()
}

export function quotaOption(given: string): number {
  if (!/^\d{1,9}$/.test(given)) throw new WrongUsage('--daily-quota must be a whole number up to 999999999')
  return Number(given)
}

const Name = text({ min: 1, max: 200 })

export function nameOption(given: string): string {
  const name = Name.safeParse(given)
  if (!name.success) throw new WrongUsage(`--name ${name.error.issues[0]?.message}`)
  return name.data
}

export function environmentOf(given: string): Environment {
  const found = environments.find((each) => each === given)
  if (found === undefined) throw new WrongUsage('--env must be test or live')
  return found
}

export function readGivenFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Absent, a folder, or not ours to read.
    throw new CommandFailed(`${file} cannot be read.`)
  }
}
