import { isOutcome, type HolderSession, type MovedCode, type Outcome } from '../holder-session.ts'

/** What the holder sees. `attempted`: a response failed, and another one would be accepted. */
export type Step =
  | 'loading'
  | 'not_loaded'
  | 'unavailable'
  | 'ready'
  | 'opened'
  | 'checking'
  | 'attempted'
  | Outcome

type Notice = 'no_answer' | 'declined' | 'wallet_error' | 'send_failed'

/** What is shown over the view: the other channels, the wallets on this device, help without a wallet, or help after a link that led nowhere. */
export type Sheet = 'other_channels' | 'apps' | 'no_wallet' | 'nothing'

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
  sheet?: Sheet
  /** The country whose wallets are shown, once the holder has chosen one. */
  country?: string
  offline: boolean
  disconnected: boolean
  /** Whether the connection has just come back. */
  recovered: boolean
  /** Which code is shown: the one for wallets, or the one for the EU age-verification app. */
  code: 'wallet' | 'age_app'
  moved_code?: MovedCode
  /** Whether copying the link worked, since the last attempt. */
  copied?: boolean
  /** How many attempts were left when the holder chose to try again. */
  retried_with?: number
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
  | { kind: 'nothing_happened' }
  | { kind: 'sheet_opened'; sheet: Sheet }
  | { kind: 'sheet_closed' }
  | { kind: 'country_chosen'; country: string }
  | { kind: 'code_chosen'; code: 'wallet' | 'age_app' }
  | { kind: 'code_moved'; code: MovedCode }
  | { kind: 'link_copied'; worked: boolean }
  | { kind: 'tried_again' }
  | { kind: 'network'; online: boolean }
  | { kind: 'recovery_seen' }

export const initialState: ComponentState = {
  step: 'loading',
  dc: 'none',
  left_by_link: false,
  code: 'wallet',
  answered: false,
  offline: false,
  disconnected: false,
  recovered: false,
}

/** The state after a change. Every rule about what may follow what is here, and nothing else reads a clock or the network. */
export function reduceState(state: ComponentState, change: StateChange): ComponentState {
  const next = applyChange(state, change)
  const recovered = !isCutOff(next) && (isCutOff(state) || next.recovered)
  // A new screen covers what the sheet was about.
  return { ...(next.step === state.step ? next : withoutSheet(next)), recovered }
}

function applyChange(state: ComponentState, change: StateChange): ComponentState {
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
      return withoutSheet(withoutNotice({ ...state, dc: 'called' }))
    case 'dc_ended':
      return endDcCall(state, change.notice)
    case 'dc_responded':
      return isOpen(state.step) ? withoutNotice({ ...state, step: 'checking' }) : state
    case 'answer_accepted':
      return acceptAnswer(state, change)
    case 'answer_refused':
      return readSession(endDcCall(state, 'wallet_error'), change.session)
    case 'link_followed':
      return withoutSheet(withoutNotice({ ...state, left_by_link: true, followed_uri: change.uri }))
    case 'nothing_happened':
      return state.step === 'ready' ? { ...state, left_by_link: false, sheet: 'nothing' } : state
    case 'sheet_opened':
      // It shows the code, which another device may scan: that one has no redirect.
      return {
        ...state,
        sheet: change.sheet,
        left_by_link: state.left_by_link && change.sheet !== 'other_channels',
      }
    case 'sheet_closed':
      return withoutSheet(state)
    case 'country_chosen':
      return { ...state, country: change.country }
    case 'code_chosen':
      return { ...state, code: change.code }
    case 'code_moved':
      return { ...state, moved_code: change.code }
    case 'link_copied':
      return { ...state, copied: change.worked }
    case 'tried_again':
      return state.step === 'attempted' ? tryAgain(state) : state
    case 'network':
      return { ...state, offline: !change.online }
    case 'recovery_seen':
      return { ...state, recovered: false }
  }
}

function readSession(state: ComponentState, session: HolderSession): ComponentState {
  if (isEnd(state.step)) return state
  const next = { ...state, session, disconnected: false }
  // The service's reply to the posted response brings the redirect with its code. An event that arrives first must not lead elsewhere.
  if (state.step === 'checking') return state.answered ? concludeAnswer(next, session) : next
  return showSession(next, state)
}

function showSession(next: ComponentState, before: ComponentState): ComponentState {
  const { phase = 'pending', attempt } = next.session ?? {}
  if (isOutcome(phase)) return endWith(next, phase)
  if (phase === 'opened') return { ...next, step: 'opened' }
  if (attempt !== undefined && attempt.left !== next.retried_with)
    return withoutNotice({ ...next, step: 'attempted', answered: false, left_by_link: false })
  // An older reading does not lead back.
  return { ...next, step: before.step === 'opened' ? 'opened' : 'ready' }
}

function tryAgain({ followed_uri: _, ...state }: ComponentState): ComponentState {
  const { attempt } = state.session ?? {}
  return { ...state, step: 'ready', ...(attempt !== undefined && { retried_with: attempt.left }) }
}

/** Back to the start. The session is still pending: nothing proves why the call ended. */
function endDcCall(state: ComponentState, notice: Notice): ComponentState {
  if (isEnd(state.step)) return { ...state, dc: 'ready' }
  const ended = { ...state, dc: 'ready', notice } as const
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
 * redirect, a verification that is still open after the response stays open for another one: it failed, or the wallet refused without a
 * reason.
 */
function concludeAnswer(state: ComponentState, readAfter: HolderSession | undefined): ComponentState {
  const phase = state.session?.phase ?? 'pending'
  if (isOutcome(phase)) return endWith(state, phase)
  if (state.redirect_uri !== undefined) return endWith(state, 'completed')
  if (readAfter === undefined) return { ...state, step: 'checking' }
  const ended = endDcCall({ ...state, answered: false }, 'no_answer')
  return showSession({ ...ended, session: readAfter }, ended)
}

function endWith(state: ComponentState, outcome: Outcome): ComponentState {
  return withoutNotice({ ...state, step: outcome, dc: 'none' })
}

function withoutNotice({ notice: _, ...state }: ComponentState): ComponentState {
  return state
}

function withoutSheet({ sheet: _, ...state }: ComponentState): ComponentState {
  return state
}

/** Whether nothing can be sent or learnt now. */
export function isCutOff({ offline, disconnected }: ComponentState): boolean {
  return offline || disconnected
}

export function isOpen(step: Step): boolean {
  return step === 'ready' || step === 'opened' || step === 'attempted'
}

export function isEnd(step: Step): step is Outcome | 'unavailable' {
  return (
    step === 'unavailable' ||
    (step !== 'loading' && step !== 'not_loaded' && step !== 'checking' && !isOpen(step))
  )
}
