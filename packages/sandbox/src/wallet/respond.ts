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

/** What a holder does with a request, apart from answering it once. */
export type Behaviour = 'answers' | 'declines' | 'answers_twice' | 'answers_late'

export type RespondOptions = {
  wallet: Wallet
  wallet_uri: string
  fetch: Fetch
  now: () => Date
  /** For whoever answers late: waits until the request has lapsed. */
  sleep: (ms: number) => Promise<void>
  behaviour?: Behaviour
  /** What the wallet does wrong, if anything. It answers only where the fault can show. */
  fault?: Fault
  /** Roots of access certificates that the wallet knows. */
  verifier_anchors?: readonly Uint8Array[]
}

/** What the verifier said in the end; or what the wallet objected to, in which case nothing was sent. */
export type RespondResult =
  | { readonly answered: true; readonly http_status: number; readonly body: string }
  | { readonly answered: false; readonly complaints: readonly Violation[] }

/** Answers a `wallet_uri` from beginning to end. Where the verifier refuses the request object, that is the answer. */
export async function respond(options: RespondOptions): Promise<RespondResult> {
  const { fault, fetch, now, behaviour = 'answers' } = options
  const wallet = fault === undefined ? options.wallet : applyFault(fault, options.wallet)
  const { reference, complaints: uriComplaints } = readWalletUri(options.wallet_uri)
  if (reference === undefined) return { answered: false, complaints: uriComplaints }

  const fetched = await fetchRequest(fetch, reference)
  if (fetched.status !== 200) return { answered: true, http_status: fetched.status, body: fetched.body }

  const { request, complaints } = await checkRequest(fetched.body, {
    reference,
    wallet_nonce: fetched.wallet_nonce,
    now: now(),
    verifier_anchors: options.verifier_anchors,
  })
  if (request === undefined || fetched.complaints.length > 0) {
    return { answered: false, complaints: [...fetched.complaints, ...complaints] }
  }

  const faultViolations = fault === undefined ? [] : checkFaultApplicability(fault, wallet, request, now())
  if (faultViolations.length > 0) return { answered: false, complaints: faultViolations }

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
  const message = `nothing that answers this request can be shown with the fault ${fault.name}`
  return violationUnless(possible, 'wallet.fault', 'the sandbox', message)
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
