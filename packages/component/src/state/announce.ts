import type { VidimusEvent } from '../events.ts'
import { isOpen, type ComponentState } from './state.ts'

/** The events that tell the merchant's page about a change of state, in order. */
export function describeChange(id: string, before: ComponentState, after: ComponentState): VidimusEvent[] {
  const { step, notice } = after
  const events: VidimusEvent[] = []
  // Also if the wallet was opened before the element was: the merchant's page waits for "ready" first.
  if (!isShown(before) && isOpen(step))
    events.push({ type: 'vidimus-ready', detail: { id, status: 'pending' } })
  if (step !== before.step) events.push(...describeStep(id, after))
  // That a wallet declined by an unencrypted error proves nothing: it is one of its errors.
  const reason = notice === 'declined' ? 'wallet_error' : notice
  if (reason !== undefined && reason !== 'no_answer' && notice !== before.notice)
    events.push({ type: 'vidimus-error', detail: { id, status: 'pending', reason } })
  return events
}

function describeStep(id: string, state: ComponentState): VidimusEvent[] {
  const { step } = state
  switch (step) {
    case 'loading':
    case 'ready':
    case 'checking':
    case 'attempted':
      return []
    case 'opened':
      return [{ type: 'vidimus-opened', detail: { id, status: 'pending' } }]
    case 'completed': {
      const redirect_uri = redirectOf(state)
      const detail = { id, status: step, ...(redirect_uri !== undefined && { redirect_uri }) }
      return [{ type: 'vidimus-completed', detail }]
    }
    case 'expired':
      return [{ type: 'vidimus-expired', detail: { id, status: step } }]
    case 'cancelled':
    case 'used':
      return [{ type: 'vidimus-cancelled', detail: { id, status: 'expired' } }]
    case 'not_loaded':
    case 'unavailable':
      return [{ type: 'vidimus-error', detail: { id, status: 'unknown', reason: step } }]
    case 'declined':
    case 'try_again':
    case 'not_accepted':
      return [{ type: 'vidimus-failed', detail: { id, status: 'failed', outcome: step } }]
  }
}

function isShown({ step }: ComponentState): boolean {
  return step !== 'loading' && step !== 'not_loaded'
}

/**
 * Where this page goes after completion, if anywhere: with the code of the Digital Credentials API, otherwise without one. Who followed
 * the link gets the redirect from the wallet.
 */
export function redirectOf(state: ComponentState): string | undefined {
  if (state.redirect_uri !== undefined) return state.redirect_uri
  return state.left_by_link ? undefined : state.session?.return_url
}
