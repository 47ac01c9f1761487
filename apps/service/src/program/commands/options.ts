import { readFileSync } from 'node:fs'
import { Email, environments, text, type Environment } from '@vidimus/contract'
import type { z } from 'zod'
import { CommandError, UsageError } from './command.ts'

/** Options that several commands have. */
export const jsonOption = { type: 'boolean', description: 'print one JSON object' } as const
export const jsonLinesOption = { type: 'boolean', description: 'print one JSON object per line' } as const
export const tenantOption = { type: 'string', required: true, description: "the tenant's id" } as const

/** Options for members of a request of the API, with their descriptions there. The service checks the values. */
export function describeOptions<Shape extends z.core.$ZodLooseShape, Name extends keyof Shape & string>(
  { shape }: { shape: Shape },
  names: readonly Name[],
): Record<Name, { type: 'string'; description: string }> {
  const options = names.map((name) => [name, { type: 'string', description: describe(shape[name]) }])
  return Object.fromEntries(options) // has exactly these names
}

function describe(schema: unknown): string {
  const { description, def } = Object(schema) as Partial<z.ZodOptional>
  const described = description ?? (def?.innerType as z.ZodType | undefined)?.description ?? ''
  return described.replace(/\.$/, '').replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

export function parseUuid(name: string, given: string): string {
  if (!uuid.test(given)) throw new UsageError(`--${name} must be a UUID`)
  return given.toLowerCase()
}

export function parseQuota(given: string): number {
  if (!/^\d{1,9}$/.test(given)) throw new UsageError('--daily-quota must be a whole number up to 999999999')
  return Number(given)
}

const Name = text({ min: 1, max: 200 })

export function parseName(given: string): string {
  const name = Name.safeParse(given)
  if (!name.success) throw new UsageError(`--name ${name.error.issues[0]?.message}`)
  return name.data
}

export function parseEmail(given: string): string {
  const read = Email.safeParse(given)
  if (!read.success) throw new UsageError(`--email ${read.error.issues[0]?.message}`)
  return read.data
}

export function parseEnvironment(given: string): Environment {
  const found = environments.find((each) => each === given)
  if (found === undefined) throw new UsageError('--env must be test or live')
  return found
}

export function parseChoice<Value>(option: string, given: string, values: Record<string, Value>): Value {
  const value = Object.hasOwn(values, given) ? values[given] : undefined
  if (value === undefined) throw new UsageError(`${option} must be ${Object.keys(values).join(' or ')}`)
  return value
}

export function readFileOption(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Missing, a folder, or not readable.
    throw new CommandError(`Can't read ${file}.`)
  }
}
