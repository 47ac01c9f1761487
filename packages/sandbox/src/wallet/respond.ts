import { applyFault } from '../faults/apply-fault.ts'
import { readAgeAppUri } from './age-app/read-uri.ts'
import { respondToRequest, type ResponseOptions, type RespondResult } from './respond-to-request.ts'
import { checkRequest } from './check-request.ts'
import { fetchRequest, type Fetch } from './fetch-request.ts'
import { readWalletUri } from './read-wallet-uri.ts'
import type { RegistrationPolicy } from './registration/registration.ts'
import type { ResponseForm } from './wallet.ts'

export type RespondOptions = ResponseOptions & {
  /** A link to a wallet, such as `openid4vp://`, or the `av://` of the EU age verification profile. */
  wallet_uri: string
  fetch: Fetch
  /** Trusted roots of access certificates. */
  verifier_anchors?: readonly Uint8Array[]
  /** Whether and how the wallet checks registration certificates. */
  registration?: RegistrationPolicy
}

/**
 * Fetches the request of a `wallet_uri`, checks it and responds. If the verifier refuses to serve the request, returns its
 * refusal. With a fault, the wallet responds only if the fault has an effect on the request.
 */
export async function respond(options: RespondOptions): Promise<RespondResult> {
  const { fault, wallet_uri } = options
  const wallet = fault === undefined ? options.wallet : applyFault(fault, options.wallet)
  return URL.parse(wallet_uri)?.protocol === 'av:'
    ? respondAsAgeApp({ ...options, wallet })
    : respondToRequestUri({ ...options, wallet })
}

async function respondAsAgeApp(options: RespondOptions): Promise<RespondResult> {
  const { request, violations } = readAgeAppUri(options.wallet_uri)
  if (request === undefined) return { sent: false, violations }
  return respondToRequest(request, (form) => postForm(options.fetch, request.response_uri, form), options)
}

async function respondToRequestUri(options: RespondOptions): Promise<RespondResult> {
  const { fetch, now } = options
  const { reference, violations: uriViolations } = readWalletUri(options.wallet_uri)
  if (reference === undefined) return { sent: false, violations: uriViolations }

  const fetched = await fetchRequest(fetch, reference)
  if (fetched.status !== 200) return { sent: true, http_status: fetched.status, body: fetched.body }

  const { request, violations } = await checkRequest(fetched.body, {
    reference,
    wallet_nonce: fetched.wallet_nonce,
    now: now(),
    verifier_anchors: options.verifier_anchors,
    registration: options.registration,
  })
  if (request === undefined || fetched.violations.length > 0) {
    return { sent: false, violations: [...fetched.violations, ...violations] }
  }
  return respondToRequest(request, (form) => postForm(fetch, request.response_uri, form), options)
}

async function postForm(fetch: Fetch, uri: string, form: ResponseForm) {
  const response = await fetch(uri, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
    redirect: 'manual',
  })
  return { http_status: response.status, body: await response.text() }
}
