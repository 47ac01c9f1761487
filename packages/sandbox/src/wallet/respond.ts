import { isApplicable, applyFault } from '../faults/apply-fault.ts'
import type { Fault } from '../faults/fault.ts'
import {
  buildResponse,
  canSatisfyRequest,
  buildErrorResponse,
  type ResponseForm,
  type Wallet,
} from './build-response.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { checkRequest } from './check-request.ts'
import { violationUnless, type Violation } from './violation.ts'
import { fetchRequest, type Fetch } from './fetch-request.ts'
import { readWalletUri } from './read-wallet-uri.ts'

/** How a holder reacts to a request. `answers`: responds once. */
export type Behaviour = 'answers' | 'declines' | 'answers_twice' | 'answers_late'

export type RespondOptions = {
  wallet: Wallet
  wallet_uri: string
  fetch: Fetch
  now: () => Date
  /** Used by `answers_late` to wait until the request has expired. */
  sleep: (ms: number) => Promise<void>
  behaviour?: Behaviour
  /** The fault to simulate. The wallet responds only if the fault has an effect on the request. */
  fault?: Fault
  /** Trusted roots of access certificates. */
  verifier_anchors?: readonly Uint8Array[]
}

/** The verifier's last reply; or the rules that the request violates, in which case nothing was sent. */
export type RespondResult =
  | { readonly answered: true; readonly http_status: number; readonly body: string }
  | { readonly answered: false; readonly violations: readonly Violation[] }

/** Fetches the request of a `wallet_uri`, checks it and responds. If the verifier refuses to serve the request, returns its refusal. */
export async function respond(options: RespondOptions): Promise<RespondResult> {
  const { fault, fetch, now, behaviour = 'answers' } = options
  const wallet = fault === undefined ? options.wallet : applyFault(fault, options.wallet)
  const { reference, violations: uriViolations } = readWalletUri(options.wallet_uri)
  if (reference === undefined) return { answered: false, violations: uriViolations }

  const fetched = await fetchRequest(fetch, reference)
  if (fetched.status !== 200) return { answered: true, http_status: fetched.status, body: fetched.body }

  const { request, violations } = await checkRequest(fetched.body, {
    reference,
    wallet_nonce: fetched.wallet_nonce,
    now: now(),
    verifier_anchors: options.verifier_anchors,
  })
  if (request === undefined || fetched.violations.length > 0) {
    return { answered: false, violations: [...fetched.violations, ...violations] }
  }

  const faultViolations = fault === undefined ? [] : checkFaultApplicability(fault, wallet, request, now())
  if (faultViolations.length > 0) return { answered: false, violations: faultViolations }

  if (behaviour === 'answers_late') await options.sleep(request.expires_at * 1000 - now().getTime() + 1000)
  const form = await buildForm(wallet, request, behaviour, now())
  if (behaviour === 'answers_twice') await postForm(fetch, request, form)
  return { answered: true, ...(await postForm(fetch, request, form)) }
}

function checkFaultApplicability(
  fault: Fault,
  wallet: Wallet,
  request: AuthorizationRequest,
  now: Date,
): Violation[] {
  const possible = isApplicable(fault, request.dcql_query) && canSatisfyRequest(wallet, request, now)
  const message = `the fault ${fault.name} has no effect on this request, or no credential satisfies both`
  return violationUnless(possible, 'wallet.fault', 'sandbox', message)
}

async function buildForm(
  wallet: Wallet,
  request: AuthorizationRequest,
  behaviour: Behaviour,
  now: Date,
): Promise<ResponseForm> {
  return behaviour === 'declines'
    ? buildErrorResponse(request, 'access_denied', 'The holder declined.')
    : buildResponse(wallet, request, now)
}

async function postForm(fetch: Fetch, { response_uri }: AuthorizationRequest, form: ResponseForm) {
  const response = await fetch(response_uri, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
    redirect: 'manual',
  })
  return { http_status: response.status, body: await response.text() }
}
