import { isApplicable } from '../faults/apply-fault.ts'
import type { Fault } from '../faults/fault.ts'
import type { WalletRequest } from './authorization-request.ts'
import { buildErrorResponse, buildResponse, canSatisfyRequest } from './build-response.ts'
import type { RegistrationResult } from './registration/registration.ts'
import { violationUnless, type Violation } from './violation.ts'
import type { ResponseForm, Wallet } from './wallet.ts'

/** How a holder reacts to a request. `answers`: responds once. */
export type Behaviour = 'responds' | 'declines' | 'responds_twice' | 'responds_late'

export type ResponseOptions = {
  /** With the fault's alterations, if there is a fault. */
  wallet: Wallet
  fault?: Fault | undefined
  behaviour?: Behaviour | undefined
  now: () => Date
  /** Used by `responds_late` to wait until the request has expired. */
  sleep: (ms: number) => Promise<void>
}

/** The verifier's last reply; or why the wallet sent nothing: the rules that the request violates, or the wallet's own reason. */
export type RespondResult =
  | {
      readonly sent: true
      readonly http_status: number
      readonly body: string
      /** What the wallet showed about the verifier, if it checks registrations. */
      readonly registration?: RegistrationResult
    }
  | { readonly sent: false; readonly violations: readonly Violation[] }

type PostForm = (form: ResponseForm) => Promise<{ http_status: number; body: string }>

/** Reacts to a request that passed the checks, as the holder's behaviour says. */
export async function respondToRequest(
  request: WalletRequest,
  post: PostForm,
  options: ResponseOptions,
): Promise<RespondResult> {
  const { behaviour = 'responds', now, sleep } = options
  const violations = [...checkRespondable(request, options), ...checkExpiry(request, behaviour)]
  if (violations.length > 0) return { sent: false, violations }
  if (behaviour === 'responds_late' && 'expires_at' in request)
    await sleep(request.expires_at * 1000 - now().getTime() + 1000)
  const form = await buildForm(request, options)
  if (behaviour === 'responds_twice') await post(form)
  const registration = 'registration' in request ? request.registration : undefined
  return { sent: true, ...(await post(form)), ...(registration !== undefined && { registration }) }
}

/** The form with which the holder answers or declines. */
export async function buildForm(
  request: WalletRequest,
  { wallet, behaviour, now }: Pick<ResponseOptions, 'wallet' | 'behaviour' | 'now'>,
): Promise<ResponseForm> {
  return behaviour === 'declines'
    ? buildErrorResponse(request, 'access_denied', 'The holder declined.')
    : buildResponse(wallet, request, now())
}

/** Why the wallet cannot answer this request at all: its fault has no effect, or the protocol has no way to decline. */
export function checkRespondable(
  request: WalletRequest,
  { wallet, fault, behaviour, now }: Pick<ResponseOptions, 'wallet' | 'fault' | 'behaviour' | 'now'>,
): Violation[] {
  const possible = canSatisfyRequest(wallet, request, now())
  const declined = behaviour === 'declines' || !possible
  return [
    ...violationUnless(
      fault === undefined || (isApplicable(fault, request) && possible),
      'wallet.fault',
      'sandbox',
      `the fault ${fault?.name} has no effect on this request, or no credential satisfies both`,
    ),
    // The browser rejects the page's promise instead, and the page cannot tell why.
    ...violationUnless(
      request.channel !== 'annex_c' || !declined,
      'wallet.declined',
      'ISO/IEC TS 18013-7 annex C',
      'the holder declined or has no such document, and annex C has no error response',
    ),
  ]
}

function checkExpiry(request: WalletRequest, behaviour: Behaviour): Violation[] {
  return violationUnless(
    behaviour !== 'responds_late' || 'expires_at' in request,
    'wallet.late',
    'sandbox',
    'the request does not say when it expires, so the wallet cannot respond late',
  )
}
