import { expect, test } from 'vitest'
import { read, session, stateAfter } from '../../test/session.ts'
import { describeChange, redirectOf } from './announce.ts'
import { initialState, reduceState, type ComponentState, type StateChange } from './state.ts'

const id = 'vs_1'
const return_url = 'https://shop.example/done'
const ready = stateAfter(read())

const announcements: { title: string; before: ComponentState; change: StateChange; events: object[] }[] = [
  {
    title: 'a loaded session is ready',
    before: initialState,
    change: read(),
    events: [{ type: 'vidimus-ready', detail: { id, status: 'pending' } }],
  },
  {
    title: 'a session that was opened before is ready, then opened',
    before: initialState,
    change: read({ phase: 'opened' }),
    events: [
      { type: 'vidimus-ready', detail: { id, status: 'pending' } },
      { type: 'vidimus-opened', detail: { id, status: 'pending' } },
    ],
  },
  { title: 'the same phase again is nothing new', before: ready, change: read(), events: [] },
  {
    title: 'a completion has the address to go to',
    before: ready,
    change: read({ phase: 'completed', return_url }),
    events: [{ type: 'vidimus-completed', detail: { id, status: 'completed', redirect_uri: return_url } }],
  },
  {
    title: 'a completion without redirect has none',
    before: ready,
    change: read({ phase: 'completed' }),
    events: [{ type: 'vidimus-completed', detail: { id, status: 'completed' } }],
  },
  {
    title: 'a completion after the link has none, because the wallet opens it',
    before: stateAfter(read(), { kind: 'link_followed', uri: 'eu-eaap://?link' }),
    change: read({ phase: 'completed', return_url }),
    events: [{ type: 'vidimus-completed', detail: { id, status: 'completed' } }],
  },
  ...(['declined', 'try_again', 'not_accepted'] as const).map((outcome) => ({
    title: `${outcome} is a failure with its outcome`,
    before: ready,
    change: read({ phase: outcome, return_url }),
    events: [{ type: 'vidimus-failed', detail: { id, status: 'failed', outcome } }],
  })),
  {
    title: 'an expiry is not a failure',
    before: ready,
    change: read({ phase: 'expired' }),
    events: [{ type: 'vidimus-expired', detail: { id, status: 'expired' } }],
  },
  {
    title: 'what the holder or the merchant cancelled is not a failure either',
    before: ready,
    change: read({ phase: 'cancelled' }),
    events: [{ type: 'vidimus-cancelled', detail: { id, status: 'expired' } }],
  },
  {
    title: 'a response that failed is no event while another one would be accepted',
    before: ready,
    change: read({ attempt: { outcome: 'declined', left: 1 } }),
    events: [],
  },
  {
    title: 'an unknown session is an error',
    before: initialState,
    change: { kind: 'session_unavailable' },
    events: [{ type: 'vidimus-error', detail: { id, status: 'unknown', reason: 'unavailable' } }],
  },
  {
    title: "a wallet's error is an error, and the session is still pending",
    before: stateAfter(read(), { kind: 'dc_called' }, { kind: 'dc_responded' }),
    change: { kind: 'dc_ended', notice: 'wallet_error' },
    events: [{ type: 'vidimus-error', detail: { id, status: 'pending', reason: 'wallet_error' } }],
  },
  {
    title: 'cancelling is no error',
    before: stateAfter(read(), { kind: 'dc_called' }),
    change: { kind: 'dc_ended', notice: 'no_answer' },
    events: [],
  },
]

test.each(announcements)('$title', ({ before, change, events }) => {
  expect(describeChange(id, before, reduceState(before, change))).toEqual(events)
})

test("the redirect with its code wins over the merchant's page without one", () => {
  const redirect_uri = `${return_url}#response_code=1`
  const state = stateAfter(read(), {
    kind: 'answer_accepted',
    redirect_uri,
    session: session({ phase: 'completed', return_url }),
  })

  expect(redirectOf(state)).toBe(redirect_uri)
})
