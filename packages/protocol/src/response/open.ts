import type { EncryptionKey } from '../request/make-encryption-key.ts'
import { decryptResponse } from './decrypt.ts'
import { readResponseParameters, type ResponseParameters } from './read-parameters.ts'
import { readWalletError, type WalletError } from './read-wallet-error.ts'

/**
 * The result of a wallet's POST. `malformed` does not belong to this session: 400, and the session stays pending, because
 * anyone who saw the QR code can post here (WRES-5). The other two are final.
 */
export type WalletResponse =
  | { kind: 'malformed'; reason: string }
  | { kind: 'error'; error: WalletError }
  | { kind: 'presentation'; vp_token: unknown }

export type ResponseSession = { state: string; encryption_key: EncryptionKey }

/** Parses and decrypts the body of a wallet response (OpenID4VP 1.0 §8.2, §8.3). Never throws on its content. */
export function openResponse(body: string, session: ResponseSession): WalletResponse {
  const form = readResponseParameters(body)
  if (form === undefined) return malformed('the form is too large, or repeats a parameter')
  if (form.response === undefined) return readUnencrypted(form, session)
  if (form.vp_token !== undefined || form.error !== undefined) {
    return malformed('response cannot be combined with vp_token or error')
  }
  if (form.state !== undefined && form.state !== session.state)
    return malformed('state does not belong to this session')

  const opened = decryptResponse(form.response, session.encryption_key)
  if ('error' in opened) return malformed(opened.error)
  // Only this session's key decrypts the response, so `state` adds nothing and may be missing.
  return classifyResponse({ state: session.state, ...opened.value }, session)
}

/** Only an error may be unencrypted (§8.3.1): a wallet that cannot encrypt can still report it. */
function readUnencrypted(form: ResponseParameters, session: ResponseSession): WalletResponse {
  if (form.vp_token !== undefined) return malformed('vp_token must be encrypted')
  if (form.error === undefined) return malformed('response and error are both missing')
  // Without encryption, only `state` distinguishes a response to this request from any other POST.
  return classifyResponse({ ...form }, session)
}

function classifyResponse(parameters: Record<string, unknown>, { state }: ResponseSession): WalletResponse {
  if (parameters.state !== state) return malformed('state does not belong to this session')
  if (parameters.error !== undefined) return { kind: 'error', error: readWalletError(parameters) }
  return { kind: 'presentation', vp_token: parameters.vp_token }
}

function malformed(reason: string): WalletResponse {
  return { kind: 'malformed', reason }
}
