import { maxRegistrationDataset_characters, type RegistrationInput } from '@vidimus/contract'
import { Refusal } from '../../engine/basics/index.ts'

/** A registration certificate as a compact JWT, and the registrar's data set if there is one. */
export type ReadInput = { token: string; dataset: Record<string, unknown> | undefined }

const compactJws = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** Registrars hand out the compact JWT or base64url of it. Copying adds white space. */
export function readInput({ certificate, dataset }: RegistrationInput): ReadInput {
  const text = certificate.replaceAll(/\s/g, '')
  const decoded = text.includes('.') ? text : Buffer.from(text, 'base64url').toString('latin1')
  return {
    // What is no JWT at all is reported by the check, like everything else that is wrong with it.
    token: compactJws.test(decoded) ? decoded : text,
    dataset: dataset === undefined || dataset.trim() === '' ? undefined : readDataset(dataset),
  }
}

/** Escapes that JSON may contain and PostgreSQL cannot store: U+0000 and single surrogates. */
const unstorable = /\\u(?:0000|d[89a-f])/i

function readDataset(text: string): Record<string, unknown> {
  const value = text.length > maxRegistrationDataset_characters ? undefined : parseJson(text)
  if (
    typeof value !== 'object' ||
    value === null ||
    Array.isArray(value) ||
    unstorable.test(JSON.stringify(value))
  )
    throw new Refusal(
      'invalid_request',
      `The data set must be a JSON object of at most ${maxRegistrationDataset_characters} characters.`,
    )
  return { ...value }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON, and so no object either.
    return undefined
  }
}
