import { expect, test } from 'vitest'
import { read, session, stateAfter } from '../../test/session.ts'
import type { HolderSession } from '../holder-session.ts'
import { isEnd, type ComponentState, type StateChange } from './state.ts'

type ExpectedState = { [Key in keyof ComponentState]?: ComponentState[Key] | undefined }

const return_url = 'https://shop.example/done'
const completed = session({ phase: 'completed', return_url })
const redirect_uri = `${return_url}#response_code=1`
const followed: StateChange = { kind: 'link_followed', uri: 'haip-vp://?link' }
const checking: StateChange[] = [
  read(),
  { kind: 'dc_ready' },
  { kind: 'dc_called' },
  { kind: 'dc_responded' },
]

const transitions: { title: string; changes: StateChange[]; expected: ExpectedState }[] = [
  { title: 'a session that is read is ready', changes: [read()], expected: { step: 'ready' } },
  {
    title: 'a session that was opened before is opened at once',
    changes: [read({ phase: 'opened' })],
    expected: { step: 'opened' },
  },
  {
    title: 'an older reading does not lead back from opened to ready',
    changes: [read(), read({ phase: 'opened' }), read()],
    expected: { step: 'opened' },
  },
  {
    title: 'opening closes the sheet with the code',
    changes: [read(), { kind: 'sheet_opened', sheet: 'other_channels' }, read({ phase: 'opened' })],
    expected: { step: 'opened', sheet: undefined },
  },
  {
    title: 'a code that is requested after opening stays',
    changes: [
      read({ phase: 'opened' }),
      { kind: 'sheet_opened', sheet: 'other_channels' },
      read({ phase: 'opened' }),
    ],
    expected: { step: 'opened', sheet: 'other_channels' },
  },
  {
    title: 'a response that failed is shown while another one would be accepted, and the code leaves',
    changes: [
      read(),
      read({ phase: 'opened' }),
      { kind: 'sheet_opened', sheet: 'other_channels' },
      read({ attempt: { outcome: 'declined', left: 2 } }),
    ],
    expected: { step: 'attempted', sheet: undefined },
  },
  {
    title: 'who tries again starts over',
    changes: [
      read({ attempt: { outcome: 'declined', left: 2 } }),
      { kind: 'tried_again' },
      read({ attempt: { outcome: 'declined', left: 2 } }),
    ],
    expected: { step: 'ready' },
  },
  {
    title: 'the next wallet that fetches the request is noticed, and the next response too',
    changes: [
      read({ attempt: { outcome: 'declined', left: 2 } }),
      read({ phase: 'opened', attempt: { outcome: 'declined', left: 2 } }),
      read({ attempt: { outcome: 'not_accepted', left: 1 } }),
    ],
    expected: { step: 'attempted' },
  },
  {
    title: 'the last response that fails ends the session',
    changes: [
      read({ attempt: { outcome: 'declined', left: 1 } }),
      read({ phase: 'not_accepted', attempt: { outcome: 'not_accepted', left: 0 } }),
    ],
    expected: { step: 'not_accepted' },
  },
  {
    title: 'a response of the browser that failed is shown too',
    changes: [
      ...checking,
      {
        kind: 'answer_accepted',
        session: session({ attempt: { outcome: 'not_accepted', reason: 'expired', left: 2 } }),
      },
    ],
    expected: { step: 'attempted', notice: undefined, answered: false },
  },
  {
    title: 'a session that was cancelled has ended',
    changes: [read(), read({ phase: 'cancelled' }), read()],
    expected: { step: 'cancelled' },
  },
  {
    title: 'a code that moves is the one to draw',
    changes: [read({ moving_code: true }), { kind: 'code_moved', code: { uri: 'openid4vp://?2' } }],
    expected: { step: 'ready', moved_code: { uri: 'openid4vp://?2' } },
  },
  {
    title: 'an outcome is final',
    changes: [read({ phase: 'declined' }), read(), { kind: 'session_unavailable' }],
    expected: { step: 'declined' },
  },
  {
    title: 'a session that cannot be read is not loaded, and is ready when it can',
    changes: [{ kind: 'session_not_read' }, read()],
    expected: { step: 'ready', disconnected: false },
  },
  {
    title: 'a session that was read stays when the connection is lost',
    changes: [read(), { kind: 'session_not_read' }],
    expected: { step: 'ready', disconnected: true },
  },
  {
    title: 'an unknown session is unavailable',
    changes: [{ kind: 'session_unavailable' }],
    expected: { step: 'unavailable' },
  },
  {
    title: 'cancelling in the browser leaves the session ready',
    changes: [read(), { kind: 'dc_ready' }, { kind: 'dc_called' }, { kind: 'dc_ended', notice: 'no_answer' }],
    expected: { step: 'ready', dc: 'ready', notice: 'no_answer' },
  },
  {
    title: 'another call removes the notice of the last one',
    changes: [read(), { kind: 'dc_ended', notice: 'wallet_error' }, { kind: 'dc_called' }],
    expected: { step: 'ready', dc: 'called', notice: undefined },
  },
  {
    title: 'a completion that is announced while the answer is posted waits for the redirect',
    changes: [...checking, { kind: 'session_read', session: completed }],
    expected: { step: 'checking' },
  },
  {
    title: 'an accepted answer completes with its redirect',
    changes: [...checking, { kind: 'answer_accepted', redirect_uri, session: completed }],
    expected: { step: 'completed', redirect_uri },
  },
  {
    title: 'with a result that is held back the redirect tells of the answer',
    changes: [...checking, { kind: 'answer_accepted', redirect_uri, session: session() }],
    expected: { step: 'completed', redirect_uri },
  },
  {
    title: 'an answer that fails the verification is not a completion, whatever its redirect',
    changes: [
      ...checking,
      { kind: 'answer_accepted', redirect_uri, session: session({ phase: 'not_accepted' }) },
    ],
    expected: { step: 'not_accepted' },
  },
  {
    title: 'an accepted answer without redirect and outcome is still being checked',
    changes: [...checking, { kind: 'answer_accepted' }],
    expected: { step: 'checking', answered: true },
  },
  {
    title: 'the outcome of such an answer is shown when it arrives',
    changes: [...checking, { kind: 'answer_accepted' }, read({ phase: 'try_again' })],
    expected: { step: 'try_again' },
  },
  {
    title: 'an answer after which the session is still open, for another wallet, leads back',
    changes: [...checking, { kind: 'answer_accepted', session: session() }],
    expected: { step: 'ready', dc: 'ready', notice: 'no_answer', answered: false },
  },
  {
    title: 'the same if that becomes known later, also once a wallet has fetched the request',
    changes: [...checking, { kind: 'answer_accepted' }, read({ phase: 'opened' })],
    expected: { step: 'opened', dc: 'ready', notice: 'no_answer', answered: false },
  },
  {
    title: 'an answer that is refused because the session has ended shows its end',
    changes: [...checking, { kind: 'answer_refused', session: session({ phase: 'expired' }) }],
    expected: { step: 'expired', notice: undefined },
  },
  {
    title: 'an answer that is refused while the session is open leads back',
    changes: [...checking, { kind: 'answer_refused', session: session() }],
    expected: { step: 'ready', notice: 'wallet_error' },
  },
  {
    title: 'an answer that could not be sent leads back, unless the session has ended meanwhile',
    changes: [...checking, read({ phase: 'expired' }), { kind: 'dc_ended', notice: 'send_failed' }],
    expected: { step: 'expired', notice: undefined },
  },
  {
    title: 'a response after the end changes nothing',
    changes: [
      read({ phase: 'expired' }),
      { kind: 'dc_responded' },
      { kind: 'answer_accepted', redirect_uri },
    ],
    expected: { step: 'expired', redirect_uri: undefined },
  },
  {
    title: 'who requests the code did not leave by the link',
    changes: [read(), followed, { kind: 'sheet_opened', sheet: 'other_channels' }],
    expected: { left_by_link: false },
  },
  {
    title: 'who is still here after the link did not leave by it',
    changes: [read(), followed, { kind: 'nothing_happened' }],
    expected: { left_by_link: false, sheet: 'nothing' },
  },
  {
    title: 'a sheet opens, leads to another one, and closes; the country stays',
    changes: [
      read(),
      { kind: 'sheet_opened', sheet: 'other_channels' },
      { kind: 'sheet_opened', sheet: 'apps' },
      { kind: 'country_chosen', country: 'NL' },
      { kind: 'sheet_closed' },
    ],
    expected: { step: 'ready', sheet: undefined, country: 'NL' },
  },
  {
    title: 'the link that was followed last is the one to open again',
    changes: [read(), { kind: 'link_followed', uri: 'eu-eaap://?link' }, followed, read({ phase: 'opened' })],
    expected: { step: 'opened', followed_uri: 'haip-vp://?link' },
  },
  {
    title: 'nothing has happened only while nothing has',
    changes: [read(), followed, read({ phase: 'opened' }), { kind: 'nothing_happened' }],
    expected: { left_by_link: true, sheet: undefined },
  },
  {
    title: 'offline and online again',
    changes: [read(), { kind: 'network', online: false }, { kind: 'network', online: true }],
    expected: { step: 'ready', offline: false, recovered: true },
  },
  {
    title: 'that the connection is back is said once',
    changes: [read(), { kind: 'session_not_read' }, read(), { kind: 'recovery_seen' }],
    expected: { disconnected: false, recovered: false },
  },
]

test.each(transitions)('$title', ({ changes, expected }) => {
  const state = stateAfter(...changes)

  const compared = Object.keys(expected) as (keyof ComponentState)[]
  expect(Object.fromEntries(compared.map((key) => [key, state[key]]))).toEqual(expected)
})

test('[PAGE-4] exactly the outcomes, and an unavailable session, are ends', () => {
  const phases: HolderSession['phase'][] = [
    'pending',
    'opened',
    'completed',
    'declined',
    'try_again',
    'not_accepted',
    'expired',
    'cancelled',
  ]
  const ends = phases.filter((phase) => isEnd(stateAfter(read({ phase })).step))

  expect(ends).toEqual(['completed', 'declined', 'try_again', 'not_accepted', 'expired', 'cancelled'])
  expect(isEnd(stateAfter({ kind: 'session_unavailable' }).step)).toBe(true)
  expect(isEnd(stateAfter(...checking).step)).toBe(false)
})
