import { isOutcome, type HolderSession, type Outcome } from '../holder-session.ts'

/** What the holder sees. */
export type Step = 'loading' | 'not_loaded' | 'unavailable' | 'ready' | 'opened' | 'checking' | Outcome

export type Notice = 'cancelled' | 'wallet_error' | 'send_failed'

export type ComponentState = {
  step: Step
  session?: HolderSession
  /** The Digital Credentials API: not offered, its request is being fetched, it can be called, it has been called. */
  dc: 'none' | 'fetching' | 'ready' | 'called'
  /** Whether the holder followed the link. Then the wallet opens the redirect, and this page must not. */
  left_by_link: boolean
  notice?: Notice
  /** The link that the holder followed last. */
  followed_uri?: string
  /** The link was followed, and the page is still in front. */
  nothing_happened: boolean
  /** Whether the other wallets on this device are shown. */
  chooser: boolean
  /** The country whose wallets are shown, once the holder has chosen one. */
  country?: string
  /** Whether the holder asked for the QR code where it is not shown at first. */
  code_requested: boolean
  offline: boolean
  disconnected: boolean
  /** Which code is shown: the one for wallets, or the one for the EU age-verification app. */
  code: 'wallet' | 'age_app'
  /** Whether copying the link worked, since the last attempt. */
  copied?: boolean
  /** Whether the service accepted a wallet's response over the Digital Credentials API. */
  answered: boolean
  /** Where that response leads, with its code. */
  redirect_uri?: string
}

export type StateChange =
  | { kind: 'session_read'; session: HolderSession }
  | { kind: 'session_unavailable' }
  | { kind: 'session_not_read' }
  | { kind: 'dc_fetching' }
  | { kind: 'dc_ready' }
  | { kind: 'dc_unavailable' }
  | { kind: 'dc_called' }
  | { kind: 'dc_ended'; notice: Notice }
  | { kind: 'dc_responded' }
  | { kind: 'answer_accepted'; redirect_uri?: string; session?: HolderSession }
  | { kind: 'answer_refused'; session: HolderSession }
  | { kind: 'link_followed'; uri: string }
  | { kind: 'chooser_changed'; chooser: boolean; country: string }
  | { kind: 'nothing_happened' }
  | { kind: 'code_requested'; shown: boolean }
  | { kind: 'code_chosen'; code: 'wallet' | 'age_app' }
  | { kind: 'link_copied'; worked: boolean }
  | { kind: 'network'; online: boolean }

export const initialState: ComponentState = {
  step: 'loading',
  dc: 'none',
  left_by_link: false,
  nothing_happened: false,
  chooser: false,
  code_requested: false,
  code: 'wallet',
  answered: false,
  offline: false,
  disconnected: false,
}

/** The state after a change. Every rule about what may follow what is here, and nothing else reads a clock or the network. */
export function reduceState(state: ComponentState, change: StateChange): ComponentState {
  switch (change.kind) {
    case 'session_read':
      return readSession(state, change.session)
    case 'session_unavailable':
      return isEnd(state.step) ? state : { ...state, step: 'unavailable' }
    case 'session_not_read':
      if (state.session !== undefined) return { ...state, disconnected: true }
      return isEnd(state.step) ? state : { ...state, step: 'not_loaded' }
    case 'dc_fetching':
      return { ...state, dc: 'fetching' }
    case 'dc_ready':
      return { ...state, dc: 'ready' }
    case 'dc_unavailable':
      return { ...state, dc: 'none' }
    case 'dc_called':
      return withoutNotice({ ...state, dc: 'called', nothing_happened: false })
    case 'dc_ended':
      return endDcCall(state, change.notice)
    case 'dc_responded':
      return isOpen(state.step) ? withoutNotice({ ...state, step: 'checking' }) : state
    case 'answer_accepted':
      return acceptAnswer(state, change)
    case 'answer_refused':
      return readSession(endDcCall(state, 'wallet_error'), change.session)
    case 'link_followed':
      return withoutNotice({
        ...state,
        left_by_link: true,
        followed_uri: change.uri,
        nothing_happened: false,
      })
    case 'nothing_happened':
      if (state.step !== 'ready') return state
      return { ...state, left_by_link: false, nothing_happened: true, chooser: true, code_requested: true }
    case 'chooser_changed':
      return { ...state, chooser: change.chooser, country: change.country }
    case 'code_requested':
      return { ...state, code_requested: change.shown, left_by_link: state.left_by_link && !change.shown }
    case 'code_chosen':
      return { ...state, code: change.code }
    case 'link_copied':
      return { ...state, copied: change.worked }
    case 'network':
      return { ...state, offline: !change.online }
  }
}

function readSession(state: ComponentState, session: HolderSession): ComponentState {
  if (isEnd(state.step)) return state
  const next = { ...state, session, disconnected: false }
  // The service's reply to the posted response brings the redirect with its code. An event that arrives first must not lead elsewhere.
  if (state.step === 'checking') return state.answered ? concludeAnswer(next, session) : next
  if (isOutcome(session.phase)) return endWith(next, session.phase)
  if (session.phase === 'pending') return { ...next, step: state.step === 'opened' ? 'opened' : 'ready' }
  if (state.step === 'opened') return next
  return { ...next, step: 'opened', code_requested: false, chooser: false, nothing_happened: false }
}

/** Back to the start, with the other channels open. The session is still pending: nothing proves why the call ended. */
function endDcCall(state: ComponentState, notice: Notice): ComponentState {
  if (isEnd(state.step)) return { ...state, dc: 'ready' }
  const ended = { ...state, dc: 'ready', notice, code_requested: true } as const
  const phase = state.session?.phase ?? 'pending'
  if (isOutcome(phase)) return endWith(ended, phase)
  return { ...ended, step: state.step === 'checking' ? 'ready' : state.step }
}

function acceptAnswer(
  state: ComponentState,
  { redirect_uri, session }: { redirect_uri?: string; session?: HolderSession },
): ComponentState {
  if (isEnd(state.step)) return state
  const answered = {
    ...state,
    ...(session !== undefined && { session }),
    ...(redirect_uri !== undefined && { redirect_uri }),
    answered: true,
    left_by_link: false,
  }
  return concludeAnswer(answered, session)
}

/**
 * With a result that is held back, the verification still looks pending: only the redirect shows that there was a response. Without a
 * redirect, a verification that is still open after the response stays open for another wallet: this one refused without a reason.
 */
function concludeAnswer(state: ComponentState, readAfter: HolderSession | undefined): ComponentState {
  const phase = state.session?.phase ?? 'pending'
  if (isOutcome(phase)) return endWith(state, phase)
  if (state.redirect_uri !== undefined) return endWith(state, 'completed')
  if (readAfter === undefined) return { ...state, step: 'checking' }
  return readSession(endDcCall({ ...state, answered: false }, 'cancelled'), readAfter)
}

function endWith(state: ComponentState, outcome: Outcome): ComponentState {
  return withoutNotice({ ...state, step: outcome, dc: 'none', nothing_happened: false })
}

function withoutNotice({ notice: _, ...state }: ComponentState): ComponentState {
  return state
}

export function isOpen(step: Step): boolean {
  return step === 'ready' || step === 'opened'
}

export function isEnd(step: Step): step is Outcome | 'unavailable' {
  return (
    step === 'unavailable' ||
    (step !== 'loading' && step !== 'not_loaded' && step !== 'checking' && !isOpen(step))
  )
}
