import type { FailureCode } from '../failures.ts'

const maxCharacters = 200

export type WalletError = {
  code: FailureCode
  message: string
  /** The error gives no reason and may only mean that this wallet has no such credential: another wallet may respond. */
  may_have_other_wallet: boolean
}

/** Errors that a wallet also sends if it has no matching credential or is unavailable (OpenID4VP 1.0 §8.5). */
const inconclusiveErrors: ReadonlySet<unknown> = new Set([
  'access_denied',
  'vp_formats_not_supported',
  'wallet_unavailable',
])

/** Reads a wallet's error (OpenID4VP 1.0 §8.5): the holder declined, or the wallet failed. */
export function readWalletError(parameters: Record<string, unknown>): WalletError {
  const error = readText(parameters.error) ?? 'unnamed error'
  const description = readText(parameters.error_description)
  const text = description === undefined ? error : `${error} (${description})`
  const may_have_other_wallet = description === undefined && inconclusiveErrors.has(error)
  return error === 'access_denied'
    ? {
        code: 'holder_declined',
        message: `The holder declined, or has no such credential: ${text}.`,
        may_have_other_wallet,
      }
    : { code: 'wallet_error', message: `The wallet could not respond: ${text}.`, may_have_other_wallet }
}

/** RFC 6749 §5.2 allows printable ASCII only. Other characters are removed. */
function readText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.replaceAll(/[^\x20-\x7e]/g, '').trim()
  return text === '' ? undefined : text.slice(0, maxCharacters)
}
