import { applyFault } from '../../faults/apply-fault.ts'
import type { Fault } from '../../faults/fault.ts'
import { respondToRequest, buildForm, checkRespondable, type ResponseOptions } from '../respond-to-request.ts'
import type { RespondResult } from '../respond-to-request.ts'
import type { Fetch } from '../fetch-request.ts'
import { formatValue, isObject, violationUnless, type Violation } from '../violation.ts'
import type { ResponseForm, Wallet } from '../wallet.ts'
import { chooseDcApiRequest, type ChooseRequestInput } from './choose-request.ts'

export type RespondToDcApiOptions = ChooseRequestInput & {
  wallet: Wallet
  /** The `requests` that the page passes to `navigator.credentials.get`. */
  requests: unknown
  fault?: Fault
  behaviour?: 'responds' | 'declines'
}

/** What the browser gives to the page: the members of a `DigitalCredential`. Or why there is none. */
export type DcApiResult =
  | { readonly sent: true; readonly protocol: string; readonly data: Readonly<Record<string, string>> }
  | { readonly sent: false; readonly violations: readonly Violation[] }

/** Responds to the requests of a page as browser and wallet together would. */
export async function respondToDcApi(options: RespondToDcApiOptions): Promise<DcApiResult> {
  const { request, violations } = await chooseDcApiRequest(options.requests, options)
  if (request === undefined) return { sent: false, violations }
  const { fault, behaviour } = options
  const wallet = fault === undefined ? options.wallet : applyFault(fault, options.wallet)
  const response = { wallet, fault, behaviour, now: () => options.now }
  const reasons = checkRespondable(request, response)
  if (reasons.length > 0) return { sent: false, violations: reasons }
  const { protocol = '', ...data } = await buildForm(request, response)
  return { sent: true, protocol, data }
}

export type RespondAsBrowserOptions = ResponseOptions &
  Omit<ChooseRequestInput, 'now'> & {
    /** Where the page fetches its requests and posts the response. */
    dc_uri: string
    fetch: Fetch
  }

/** Fetches the requests of a verification as the page does, and posts a response to one of them. */
export async function respondAsBrowser(options: RespondAsBrowserOptions): Promise<RespondResult> {
  const { fault, now, fetch, dc_uri, origin } = options
  const response = await fetch(dc_uri, { method: 'GET', headers: { origin }, redirect: 'manual' })
  const body = await response.text()
  if (response.status !== 200) return { sent: true, http_status: response.status, body }
  const { requests, violations: bodyViolations } = readRequests(body)
  if (bodyViolations.length > 0) return { sent: false, violations: bodyViolations }

  const { request, violations } = await chooseDcApiRequest(requests, { ...options, now: now() })
  if (request === undefined) return { sent: false, violations }
  const wallet = fault === undefined ? options.wallet : applyFault(fault, options.wallet)
  return respondToRequest(request, (form) => postForm(options, form), { ...options, wallet })
}

function readRequests(body: string): { requests?: unknown; violations: Violation[] } {
  try {
    const parsed: unknown = JSON.parse(body)
    if (isObject(parsed)) return { requests: parsed['requests'], violations: [] }
  } catch {
    // Reported below, like JSON that is not an object.
  }
  const message = `the body is ${formatValue(body)}, not a JSON object`
  return { violations: violationUnless(false, 'dc_api.body', 'W3C Digital Credentials API', message) }
}

async function postForm({ fetch, dc_uri, origin }: RespondAsBrowserOptions, form: ResponseForm) {
  const response = await fetch(dc_uri, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
    body: new URLSearchParams(form).toString(),
    redirect: 'manual',
  })
  return { http_status: response.status, body: await response.text() }
}
