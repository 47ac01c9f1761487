import { canShow, commitFault } from '../faults/commit-fault.ts'
import type { Fault } from '../faults/fault.ts'
import { answerRequest, canAnswer, refusal, type Form, type Wallet } from './answer-request.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { checkRequest } from './check-request.ts'
import { demand, type Complaint } from './complaint.ts'
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
export type Responded =
  | { readonly answered: true; readonly http_status: number; readonly body: string }
  | { readonly answered: false; readonly complaints: readonly Complaint[] }

/** Answers a `wallet_uri` from beginning to end. Where the verifier refuses the request object, that is the answer. */
export async function respond(options: RespondOptions): Promise<Responded> {
  const { fault, fetch, now, behaviour = 'answers' } = options
  const wallet = fault === undefined ? options.wallet : commitFault(fault, options.wallet)
  const { invitation, complaints: uriComplaints } = readWalletUri(options.wallet_uri)
  if (invitation === undefined) return { answered: false, complaints: uriComplaints }

  const fetched = await fetchRequest(fetch, invitation)
  if (fetched.status !== 200) return { answered: true, http_status: fetched.status, body: fetched.body }

  const { request, complaints } = await checkRequest(fetched.body, {
    invitation,
    wallet_nonce: fetched.wallet_nonce,
    now: now(),
    verifier_anchors: options.verifier_anchors,
  })
  if (request === undefined || fetched.complaints.length > 0) {
    return { answered: false, complaints: [...fetched.complaints, ...complaints] }
  }

  const obstacles = fault === undefined ? [] : findObstacles(fault, wallet, request, now())
  if (obstacles.length > 0) return { answered: false, complaints: obstacles }

  if (behaviour === 'answers_late') await options.sleep(request.expires_at * 1000 - now().getTime() + 1000)
  const form = await formFor(wallet, request, behaviour, now())
  if (behaviour === 'answers_twice') await post(fetch, request, form)
  return { answered: true, ...(await post(fetch, request, form)) }
}

function findObstacles(fault: Fault, wallet: Wallet, request: AuthorizationRequest, now: Date): Complaint[] {
  const possible = canShow(fault, request.dcql_query) && canAnswer(wallet, request, now)
  const message = `nothing that answers this request can be shown with the fault ${fault.name}`
  return demand(possible, 'wallet.fault', 'the sandbox', message)
}

async function formFor(
  wallet: Wallet,
  request: AuthorizationRequest,
  behaviour: Behaviour,
  now: Date,
): Promise<Form> {
  return behaviour === 'declines'
    ? refusal(request, 'access_denied', 'The holder declined.')
    : answerRequest(wallet, request, now)
}

async function post(fetch: Fetch, { response_uri }: AuthorizationRequest, form: Form) {
  const answer = await fetch(response_uri, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
    redirect: 'manual',
  })
  return { http_status: answer.status, body: await answer.text() }
}
