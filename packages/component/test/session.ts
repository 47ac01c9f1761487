import type { HolderSession } from '../src/holder-session.ts'
import { initialState, reduceState, type ComponentState, type StateChange } from '../src/state/state.ts'

/** An open session, as the service describes it. */
export function session(more: Partial<HolderSession> = {}): HolderSession {
  return {
    phase: 'pending',
    now: '2026-11-16T10:00:00.000Z',
    expires_at: '2026-11-16T10:15:00.000Z',
    test: false,
    lang: 'en',
    merchant: { name: 'Harbour Wines' },
    headline: 'Confirm that you are 18 or older',
    summary: 'Proof that you are 18 or older',
    asks: [],
    retention: 'Vidimus deletes it after 30 days.',
    wallet_uri: 'openid4vp://?link',
    screen_uri: 'openid4vp://?screen',
    ...more,
  }
}

/** The state after some changes. */
export function stateAfter(...changes: StateChange[]): ComponentState {
  return changes.reduce(reduceState, initialState)
}

export function read(more: Partial<HolderSession> = {}): StateChange {
  return { kind: 'session_read', session: session(more) }
}
