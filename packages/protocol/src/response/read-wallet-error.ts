import type { FailureCode } from '../failures.ts'

const MAX_CHARACTERS = 200

/** A wallet's own error (OpenID4VP 1.0 §8.5): the holder said no, or the wallet could not. */
export function readWalletError(parameters: Record<string, unknown>): { code: FailureCode; message: string } {
  const error = readText(parameters.error) ?? 'an error without a name'
  const description = readText(parameters.error_description)
  const told = description === undefined ? error : `${error} (${description})`
  return error === 'access_denied'
    ? { code: 'holder_declined', message: `The holder declined, or has no such credential: ${told}.` }
    : { code: 'wallet_error', message: `The wallet could not answer: ${told}.` }
}

/** RFC 6749 §5.2 allows printable ASCII only, for developers to read. Anything else is not repeated. */
function readText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.replaceAll(/[^\x20-\x7e]/g, '').trim()
  return text === '' ? undefined : text.slice(0, MAX_CHARACTERS)
}
