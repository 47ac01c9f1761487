import { readFile } from 'node:fs/promises'
import { CommandError } from '../command.ts'

export async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => throwUnreadable(file, error))
}

export function throwUnreadable(file: string, error: unknown): never {
  throw new CommandError(`Can't read ${file}: ${error instanceof Error ? error.message : String(error)}`)
}
