import type { TillSettings } from '@vidimus/sdk'
import { expect, test } from 'vitest'
import { mayHandOver, reduce, staysAwake } from './reduce.ts'
import {
  initialState,
  maxOutcomes,
  type Check,
  type Panel,
  type TillEvent,
  type TillState,
} from './till-state.ts'

const device = { id: 'd', name: 'Bar', allowed_templates: ['age_over_18', 'club_entry'] }
const check: Check = { key: 'k1', template: 'age_over_18', pressed_ms: 5 }
const open = { id: 'vs_1', wallet_uri: 'openid4vp://?', ttl_ms: 300_000 }
const portrait = 'data:image/jpeg;base64,AA'
const yes = { word: 'yes' } as const
const at = 1000
const settings: TillSettings = {
  edited_languages_only: false,
  merchant: { name: 'Harbour Wines' },
  test: false,
  keep_awake: false,
  pin: false,
}

const screens = {
  starting: initialState,
  other_tab: on({ name: 'other_tab' }),
  unpaired: on({ name: 'unpaired' }),
  pairing: on({ name: 'pairing', code: 'VD-1' }),
  ready: on({ name: 'ready', device }),
  replace_pairing: on({ name: 'replace_pairing', device, code: 'VD-2' }),
  asking: on({ name: 'asking', device, check, scanned: false, code_again: false, failed_once: false }),
  compare: on({ name: 'compare', device, check, id: 'vs_1', portrait }),
  answer: on({ name: 'answer', device, check, answer: yes }),
  pair_again: on({ name: 'pair_again', loss: 'lost', interrupted: false }),
} satisfies Record<TillState['screen']['name'], TillState>

const events = {
  other_tab_found: { name: 'other_tab_found' },
  handed_over: { name: 'handed_over' },
  opened_unpaired: { name: 'opened_unpaired' },
  opened_paired: { name: 'opened_paired', device },
  pairing_lost: { name: 'pairing_lost', loss: 'revoked', at },
  code_entered: { name: 'code_entered', code: 'VD-3' },
  link_opened: { name: 'link_opened', code: 'VD-3' },
  pairing_kept: { name: 'pairing_kept' },
  paired: { name: 'paired', device },
  pairing_failed: { name: 'pairing_failed', problem: 'wrong_code' },
  settings_read: { name: 'settings_read', settings },
  keep_awake_chosen: { name: 'keep_awake_chosen', keep_awake: true },
  pressed: { name: 'pressed', check: { ...check, key: 'k2' } },
  created: { name: 'created', key: 'k1', open },
  code_changed: { name: 'code_changed', key: 'k1', code: 'openid4vp://?1' },
  phase_changed: { name: 'phase_changed', key: 'k1', scanned: true, failed_once: false },
  code_wanted: { name: 'code_wanted' },
  answered: { name: 'answered', key: 'k1', at, answer: yes },
  photo_received: { name: 'photo_received', key: 'k1', id: 'vs_1', portrait },
  compared: { name: 'compared', at, same_person: true },
  photo_removed: { name: 'photo_removed', at, reason: 'not_compared' },
  stopped: { name: 'stopped', at },
  answered_late: { name: 'answered_late', key: 'k1' },
  interruption_found: { name: 'interruption_found', key: 'k0', at, template: 'age_over_18', late: false },
  next: { name: 'next' },
  device_changed: { name: 'device_changed', device: { ...device, name: 'Door' } },
  went_offline: { name: 'went_offline' },
  went_online: { name: 'went_online' },
  outcomes_opened: { name: 'outcomes_opened' },
  settings_opened: { name: 'settings_opened' },
  panel_closed: { name: 'panel_closed' },
  shift_ended: { name: 'shift_ended' },
  pin_entered: { name: 'pin_entered' },
  pin_accepted: { name: 'pin_accepted' },
  pin_refused: { name: 'pin_refused', problem: { kind: 'wrong', tries_left: 4 } },
} satisfies Record<TillEvent['name'], TillEvent>

/** Where each event leads from each screen. An event that is not listed leaves the screen as it is. */
const transitions: Record<
  keyof typeof screens,
  Partial<Record<keyof typeof events, keyof typeof screens>>
> = {
  starting: {
    other_tab_found: 'other_tab',
    handed_over: 'other_tab',
    opened_unpaired: 'unpaired',
    opened_paired: 'ready',
    pairing_lost: 'pair_again',
  },
  other_tab: { opened_unpaired: 'unpaired', opened_paired: 'ready', pairing_lost: 'pair_again' },
  unpaired: { handed_over: 'other_tab', code_entered: 'pairing', link_opened: 'pairing' },
  pairing: { paired: 'ready', pairing_failed: 'unpaired' },
  ready: {
    handed_over: 'other_tab',
    pairing_lost: 'pair_again',
    link_opened: 'replace_pairing',
    pressed: 'asking',
  },
  replace_pairing: {
    handed_over: 'other_tab',
    pairing_lost: 'pair_again',
    code_entered: 'pairing',
    pairing_kept: 'ready',
  },
  asking: {
    pairing_lost: 'pair_again',
    answered: 'answer',
    photo_received: 'compare',
    stopped: 'ready',
  },
  compare: { pairing_lost: 'pair_again', compared: 'answer', photo_removed: 'answer' },
  answer: { handed_over: 'other_tab', pairing_lost: 'pair_again', pressed: 'asking', next: 'ready' },
  pair_again: { handed_over: 'other_tab', code_entered: 'pairing', link_opened: 'pairing' },
}

test('every event leads from every screen where the table says, and otherwise nowhere', () => {
  const found = Object.entries(screens).flatMap(([from, state]) =>
    Object.entries(events).map(([name, event]) => [from, name, reduce(state, event).screen.name]),
  )
  const expected = Object.keys(screens).flatMap((from) =>
    // Both keys come from the tables themselves.
    Object.keys(events).map((name) => [
      from,
      name,
      transitions[from as keyof typeof screens][name as keyof typeof events] ?? from,
    ]),
  )
  expect(found).toHaveLength(10 * 35)
  expect(found).toEqual(expected)
})

test('while an answer is awaited there is no second check: a second press changes nothing', () => {
  const asking = reduce(screens.ready, { name: 'pressed', check })
  expect(asking.screen).toMatchObject({ name: 'asking', check: { key: 'k1' } })
  expect(reduce(asking, events.pressed)).toBe(asking)
})

test('a reply to a check that was stopped does not answer the next one', () => {
  const stoppedCheck = reduce(screens.asking, events.stopped)
  const second = reduce(stoppedCheck, events.pressed)
  expect(reduce(second, events.created)).toBe(second)
  expect(reduce(second, events.answered)).toBe(second)
  expect(reduce(second, { ...events.answered, key: 'k2' }).screen.name).toBe('answer')
})

test('offline, neither a press nor a pairing code starts anything, in no state is anything lost', () => {
  for (const state of Object.values(screens)) {
    const offline = reduce(state, { name: 'went_offline' })
    expect(offline).toEqual({ ...state, online: false })
    expect(reduce(offline, events.pressed)).toBe(offline)
    expect(reduce(offline, events.code_entered)).toBe(offline)
    expect(reduce(offline, { name: 'went_online' })).toEqual(state)
  }
  const asking = reduce(screens.asking, { name: 'went_offline' })
  expect(reduce(asking, events.answered).screen.name).toBe('answer')
})

test('a refused template is off from then on, and a new pairing resets that', () => {
  const answer = { word: 'not_checked', reason: 'template_withdrawn' } as const
  const ready = reduce(reduce(screens.asking, { ...events.answered, answer }), { name: 'next' })
  expect(ready.withdrawn).toEqual(['age_over_18'])
  expect(reduce(ready, { name: 'pressed', check })).toBe(ready)
  expect(reduce(ready, { name: 'pressed', check: { ...check, template: 'club_entry' } }).screen.name).toBe(
    'asking',
  )
  const again = reduce({ ...ready, screen: screens.pairing.screen }, events.paired)
  expect(again.withdrawn).toEqual([])
})

test('a template that the device may not use cannot be pressed', () => {
  const event = { name: 'pressed', check: { ...check, template: 'pid_full' } } as const
  expect(reduce(screens.ready, event)).toBe(screens.ready)
})

test('a pairing that is lost while asking ends the check, and is recorded as not checked', () => {
  const lost = reduce(screens.asking, events.pairing_lost)
  expect(lost.screen).toEqual({ name: 'pair_again', loss: 'revoked', interrupted: true })
  const answer = { word: 'not_checked', reason: 'interrupted' }
  expect(lost.outcomes).toEqual([{ key: 'k1', at, template: 'age_over_18', answer }])
  expect(reduce(screens.ready, events.pairing_lost).screen).toMatchObject({ interrupted: false })
})

test('a mistyped code stays with the reason', () => {
  expect(reduce(screens.pairing, events.pairing_failed).screen).toEqual({
    name: 'unpaired',
    problem: 'wrong_code',
    code: 'VD-1',
  })
})

test("a new pairing forgets the former merchant's name and withdrawn templates", () => {
  const before = { ...screens.pairing, settings, withdrawn: ['age_over_18'] }
  expect(reduce(before, events.paired)).toEqual(screens.ready)
})

test('the code is always the newest; once scanned it leaves, and comes back if someone wants it', () => {
  const asking = reduce(reduce(screens.asking, events.created), events.code_changed)
  expect(asking.screen).toMatchObject({ open, code: 'openid4vp://?1', scanned: false })
  const scanned = reduce(asking, events.phase_changed)
  const moved = reduce(scanned, { ...events.code_changed, code: 'openid4vp://?2' })
  expect(moved.screen).toMatchObject({ code: 'openid4vp://?2', scanned: true, code_again: false })
  expect(reduce(moved, events.code_wanted).screen).toMatchObject({ code: 'openid4vp://?2', code_again: true })
  const failed = reduce(moved, { ...events.phase_changed, scanned: false, failed_once: true })
  expect(failed.screen).toMatchObject({ scanned: false, failed_once: true })
  for (const event of [events.created, events.code_changed, events.phase_changed])
    expect(reduce(screens.asking, { ...event, key: 'k0' })).toBe(screens.asking)
})

test('[TILL-4] a photo is neither Yes nor No until staff have compared it, and Not checked if they did not', () => {
  const compare = reduce(screens.asking, events.photo_received)
  expect(compare.screen).toMatchObject({ name: 'compare', id: 'vs_1', portrait })
  expect(compare.outcomes).toEqual([])
  const answers = [
    reduce(compare, events.compared),
    reduce(compare, { ...events.compared, same_person: false }),
    reduce(compare, events.photo_removed),
    reduce(compare, { ...events.photo_removed, reason: 'photo_unreadable' }),
  ].map(({ outcomes }) => outcomes[0]?.answer)
  expect(answers).toEqual([
    yes,
    { word: 'no', reason: 'not_this_person' },
    { word: 'not_checked', reason: 'not_compared' },
    { word: 'not_checked', reason: 'photo_unreadable' },
  ])
})

test('[TILL-5] a portrait leaves with its screen', () => {
  const gone = [events.compared, events.photo_removed, events.pairing_lost]
  expect(gone.map((event) => JSON.stringify(reduce(screens.compare, event)).includes('data:'))).toEqual([
    false,
    false,
    false,
  ])
  expect(reduce(screens.compare, events.pairing_lost).screen).toMatchObject({ interrupted: true })
})

test('the same check again starts from the answer, unless there is no connection or the template was withdrawn', () => {
  const again = reduce(screens.answer, events.pressed)
  expect(again.screen).toMatchObject({ name: 'asking', check: { key: 'k2' }, scanned: false })
  for (const state of [
    { ...screens.answer, online: false },
    { ...screens.answer, withdrawn: ['age_over_18'] },
  ])
    expect(reduce(state, events.pressed)).toBe(state)
})

test('a check that was answered after all stays Not checked, and says so', () => {
  const late = reduce(reduce(screens.asking, events.stopped), events.answered_late)
  const answer = { word: 'not_checked', reason: 'stopped' }
  expect(late.outcomes).toEqual([{ key: 'k1', at, template: 'age_over_18', answer, late: true }])
  expect(reduce(late, { name: 'answered_late', key: 'k0' }).outcomes).toEqual(late.outcomes)
})

test('a check that was open when the till was closed is recorded as interrupted', () => {
  const answer = { word: 'not_checked', reason: 'interrupted' }
  const interrupted = { key: 'k0', at, template: 'age_over_18', answer }
  expect(reduce(screens.ready, events.interruption_found).outcomes).toEqual([interrupted])
  const late = { ...events.interruption_found, late: true }
  expect(reduce(screens.pair_again, late).outcomes).toEqual([{ ...interrupted, late: true }])
})

test('panels lie over the home screen; without a PIN they open and end the shift at once', () => {
  const opened = reduce(screens.ready, events.outcomes_opened)
  expect(panelOf(opened)).toEqual({ name: 'outcomes' })
  expect(reduce(opened, events.settings_opened)).toBe(opened)
  expect(reduce(opened, events.panel_closed)).toEqual(screens.ready)
  const busy = reduce(opened, events.interruption_found)
  expect(reduce(busy, events.shift_ended)).toEqual(screens.ready)
  expect(panelOf(reduce(screens.ready, events.settings_opened))).toEqual({ name: 'settings' })
  // Only the drawer has the button.
  expect(reduce(screens.ready, events.shift_ended)).toBe(screens.ready)
})

test('with a PIN, neither the shift ends nor the settings open before it was accepted', () => {
  const guarded = { ...screens.ready, settings: { ...settings, pin: true } }
  const drawer = reduce(reduce(guarded, events.interruption_found), events.outcomes_opened)
  const asked = reduce(drawer, events.shift_ended)
  expect([asked.outcomes.length, panelOf(asked)]).toEqual([
    1,
    { name: 'pin', purpose: 'end_shift', checking: false },
  ])
  const refused = reduce(reduce(asked, events.pin_entered), events.pin_refused)
  expect(panelOf(refused)).toMatchObject({ checking: false, problem: { tries_left: 4 } })
  expect(refused.outcomes).toHaveLength(1)
  expect(reduce(refused, events.pin_accepted)).toEqual(guarded)

  const settingsAsked = reduce(guarded, events.settings_opened)
  expect(panelOf(settingsAsked)).toMatchObject({ name: 'pin', purpose: 'settings' })
  expect(panelOf(reduce(settingsAsked, events.pin_accepted))).toEqual({ name: 'settings' })
  // A response that arrives after the panel was closed opens nothing.
  expect(reduce(guarded, events.pin_accepted)).toBe(guarded)
})

test('the screen stays awake during a check, and between checks as the merchant or staff chose', () => {
  expect([screens.asking, screens.compare, screens.answer].map(staysAwake)).toEqual([true, true, true])
  const kept = { ...screens.ready, settings: { ...settings, keep_awake: true } }
  expect([screens.ready, kept, { ...kept, keep_awake: false }].map(staysAwake)).toEqual([false, true, false])
  expect(staysAwake(reduce(screens.ready, events.keep_awake_chosen))).toBe(true)
  expect(staysAwake(reduce(screens.unpaired, events.keep_awake_chosen))).toBe(false)
})

test('a tab hands over only when no check is open', () => {
  expect(mayHandOver(screens.asking.screen)).toBe(false)
  expect(mayHandOver(reduce(screens.asking, events.stopped).screen)).toBe(true)
  expect(mayHandOver(reduce(screens.compare, events.photo_removed).screen)).toBe(true)
})

test('the last ten outcomes are kept, newest first, and ending the shift clears them', () => {
  let state: TillState = screens.ready
  for (let n = 1; n <= 13; n += 1) {
    state = reduce(state, { name: 'pressed', check: { ...check, key: `k${n}` } })
    state = reduce(state, { ...events.answered, key: `k${n}`, at: n })
    state = reduce(state, { name: 'next' })
  }
  expect(state.outcomes).toHaveLength(maxOutcomes)
  expect([state.outcomes[0]?.at, state.outcomes.at(-1)?.at]).toEqual([13, 4])
  expect(Object.keys(state.outcomes[0] ?? {}).toSorted()).toEqual(['answer', 'at', 'key', 'template'])
  expect(reduce(reduce(state, events.outcomes_opened), events.shift_ended).outcomes).toEqual([])
})

function panelOf({ screen }: TillState): Panel | undefined {
  return screen.name === 'ready' ? screen.panel : undefined
}

function on(screen: TillState['screen']): TillState {
  return { ...initialState, screen }
}
