import { readForm } from '../read-form.ts'

/** The parameters of OpenID4VP 1.0 §8.2 and §8.3.1, and the `protocol` of a credential of the Digital Credentials API. */
export type ResponseParameters = Partial<Record<(typeof knownParameters)[number], string>>

const knownParameters = ['response', 'vp_token', 'state', 'error', 'error_description', 'protocol'] as const
const maxBodyCharacters = 2 * 1024 * 1024

/** Reads what a wallet posts, ignoring unknown parameters. Undefined if it is not a form, too large, or repeats a parameter. */
export function readResponseParameters(body: string): ResponseParameters | undefined {
  const form = readForm(body, maxBodyCharacters)
  if (form === undefined) return undefined
  const parameters: ResponseParameters = {}
  for (const name of knownParameters) {
    const [value, ...repeated] = form.getAll(name)
    if (repeated.length > 0) return undefined
    if (value !== undefined) parameters[name] = value
  }
  return parameters
}
