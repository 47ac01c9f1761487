import { openAnnexCResponse, openDeviceResponse } from '../annex-c/open-response.ts'
import { dcProtocols, readDcChannel } from './dc-protocols.ts'
import { decryptResponse } from './decrypt.ts'
import { readResponseParameters, type ResponseParameters } from './read-parameters.ts'
import { readWalletError } from './read-wallet-error.ts'
import type {
  AgeAppVerification,
  AnnexCVerification,
  DcApiVerification,
  RedirectVerification,
  ExpectedResponse,
} from './expected-response.ts'
import type { WalletResponse } from './wallet-response.ts'

/** Parses and decrypts what was posted for a verification: a form, or a reader's DeviceResponse. Never throws on its content. */
export function openResponse(body: string, verification: ExpectedResponse): WalletResponse {
  if (verification.channel === 'proximity') return openDeviceResponse(body, verification)
  const form = readResponseParameters(body)
  if (form === undefined) return malformed('the form is too large, or repeats a parameter')
  switch (verification.channel) {
    case 'redirect':
      return openRedirectResponse(form, verification)
    case 'age_app':
      return openAgeAppResponse(form, verification)
    case 'dc_api':
    case 'annex_c':
      return openDcResponse(form, verification)
  }
}

/** OpenID4VP 1.0 §8.2, §8.3 */
function openRedirectResponse(form: ResponseParameters, verification: RedirectVerification): WalletResponse {
  if (form.response === undefined) return readUnencrypted(form, verification)
  if (form.vp_token !== undefined || form.error !== undefined) {
    return malformed('response cannot be combined with vp_token or error')
  }
  if (form.state !== undefined && form.state !== verification.state)
    return malformed('state does not belong to this verification')

  const opened = decryptResponse(form.response, verification.encryption_key)
  if ('error' in opened) return malformed(opened.error)
  // Only this verification's key decrypts the response, so `state` adds nothing and may be missing.
  return classifyResponse({ state: verification.state, ...opened.value }, verification)
}

/** Only an error may be unencrypted (§8.3.1): a wallet that cannot encrypt can still report it. */
function readUnencrypted(form: ResponseParameters, verification: RedirectVerification): WalletResponse {
  if (form.vp_token !== undefined) return malformed('vp_token must be encrypted')
  if (form.error === undefined) return malformed('response and error are both missing')
  // Without encryption, only `state` distinguishes a response to this request from any other POST.
  return classifyResponse({ ...form }, verification)
}

/** `direct_post` without encryption (§8.2): `vp_token` is JSON text. */
function openAgeAppResponse(form: ResponseParameters, verification: AgeAppVerification): WalletResponse {
  if (form.response !== undefined) return malformed('response is encrypted, and vp_token was requested')
  if (form.error !== undefined)
    return form.vp_token === undefined
      ? classifyResponse({ ...form }, verification)
      : malformed('vp_token cannot be combined with error')
  if (form.vp_token === undefined) return malformed('vp_token and error are both missing')
  return classifyResponse({ state: form.state, vp_token: readJson(form.vp_token) }, verification)
}

function classifyResponse(
  parameters: Record<string, unknown>,
  { state }: RedirectVerification | AgeAppVerification,
): WalletResponse {
  if (parameters.state !== state) return malformed('state does not belong to this verification')
  return readContent(parameters)
}

/** What the page posts of a credential that it got from the Digital Credentials API (§A.4). */
function openDcResponse(
  form: ResponseParameters,
  verification: DcApiVerification | AnnexCVerification,
): WalletResponse {
  if (readDcChannel(form.protocol) !== verification.channel)
    return malformed(`protocol is not ${dcProtocols[verification.channel]}`)
  if (form.vp_token !== undefined) return malformed('vp_token must be encrypted')
  if (form.response === undefined) {
    if (form.error === undefined) return malformed('response and error are both missing')
    return { kind: 'error', error: readWalletError({ ...form }), bound_to_verification: false }
  }
  if (form.error !== undefined) return malformed('response cannot be combined with error')
  if (verification.channel === 'annex_c') return openAnnexCResponse(form.response, verification)

  const opened = decryptResponse(form.response, verification.encryption_key)
  return 'error' in opened ? malformed(opened.error) : readContent(opened.value)
}

function readContent(parameters: Record<string, unknown>): WalletResponse {
  if (parameters.error !== undefined)
    return { kind: 'error', error: readWalletError(parameters), bound_to_verification: true }
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
