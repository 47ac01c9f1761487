import { readFileSync } from 'node:fs'
import { explainUnreadable } from '../basics/refusal.ts'
import { ConfigError } from './config.ts'

/** A setting names what an operator wrote by hand. */
export const maxJsonFile_bytes = 1_048_576

/** The content of a JSON file that a setting names. Throws a ConfigError that names both. */
export function readJsonFile(variable: string, file: string): unknown {
  try {
    const content = readFileSync(file, 'utf8')
    if (content.length > maxJsonFile_bytes)
      throw new ConfigError([`${variable} ${file} has more than ${maxJsonFile_bytes} bytes`])
    return JSON.parse(content)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    if (!(error instanceof SyntaxError)) throw new ConfigError([explainUnreadable(variable, file, error)])
    throw new ConfigError([`${variable} names ${file}, which is not JSON`])
  }
}
