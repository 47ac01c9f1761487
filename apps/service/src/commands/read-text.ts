import { readFile } from 'node:fs/promises'
import { CommandFailed } from './command.ts'

export async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => unreadable(file, error))
}

export function unreadable(file: string, error: unknown): never {
  throw new CommandFailed(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
}
