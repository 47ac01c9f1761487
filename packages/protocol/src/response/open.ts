import { openAnnexCResponse } from '../annex-c/open-response.ts'
import { dcProtocols } from './dc-protocols.ts'
import { decryptResponse } from './decrypt.ts'
import { readResponseParameters, type ResponseParameters } from './read-parameters.ts'
import { readWalletError } from './read-wallet-error.ts'
import type {
  AgeAppSession,
  AnnexCSession,
  DcApiSession,
  RedirectSession,
  ResponseSession,
} from './response-session.ts'
import type { WalletResponse } from './wallet-response.ts'

/** Parses and decrypts the form that was posted for a session. Never throws on its content. */
export function openResponse(body: string, session: ResponseSession): WalletResponse {
  const form = readResponseParameters(body)
  if (form === undefined) return malformed('the form is too large, or repeats a parameter')
  switch (session.channel) {
    case 'redirect':
      return openRedirectResponse(form, session)
    case 'age_app':
      return openAgeAppResponse(form, session)
    case 'dc_api':
    case 'annex_c':
      return openDcResponse(form, session)
  }
}

/** OpenID4VP 1.0 §8.2, §8.3 */
function openRedirectResponse(form: ResponseParameters, session: RedirectSession): WalletResponse {
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
function readUnencrypted(form: ResponseParameters, session: RedirectSession): WalletResponse {
  if (form.vp_token !== undefined) return malformed('vp_token must be encrypted')
  if (form.error === undefined) return malformed('response and error are both missing')
  // Without encryption, only `state` distinguishes a response to this request from any other POST.
  return classifyResponse({ ...form }, session)
}

/** `direct_post` without encryption (§8.2): `vp_token` is JSON text. */
function openAgeAppResponse(form: ResponseParameters, session: AgeAppSession): WalletResponse {
  if (form.response !== undefined) return malformed('response is encrypted, and vp_token was requested')
  if (form.error !== undefined)
    return form.vp_token === undefined
      ? classifyResponse({ ...form }, session)
      : malformed('vp_token cannot be combined with error')
  if (form.vp_token === undefined) return malformed('vp_token and error are both missing')
  return classifyResponse({ state: form.state, vp_token: readJson(form.vp_token) }, session)
}

function classifyResponse(
  parameters: Record<string, unknown>,
  { state }: RedirectSession | AgeAppSession,
): WalletResponse {
  if (parameters.state !== state) return malformed('state does not belong to this session')
  return readContent(parameters)
}

/** What the page posts of a credential that it got from the Digital Credentials API (§A.4). */
function openDcResponse(form: ResponseParameters, session: DcApiSession | AnnexCSession): WalletResponse {
  const protocol = dcProtocols[session.channel]
  if (form.protocol !== protocol) return malformed(`protocol is not ${protocol}`)
  if (form.vp_token !== undefined) return malformed('vp_token must be encrypted')
  if (form.response === undefined) {
    if (form.error === undefined) return malformed('response and error are both missing')
    return { kind: 'error', error: readWalletError({ ...form }), bound_to_session: false }
  }
  if (form.error !== undefined) return malformed('response cannot be combined with error')
  if (session.channel === 'annex_c') return openAnnexCResponse(form.response, session)

  const opened = decryptResponse(form.response, session.encryption_key)
  return 'error' in opened ? malformed(opened.error) : readContent(opened.value)
}

function readContent(parameters: Record<string, unknown>): WalletResponse {
  if (parameters.error !== undefined)
    return { kind: 'error', error: readWalletError(parameters), bound_to_session: true }
  return { kind: 'presentation', vp_token: parameters.vp_token }
}

/** Undefined if it is not JSON: the verification then fails for want of a `vp_token`. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function malformed(reason: string): WalletResponse {
  return { kind: 'malformed', reason }
}
