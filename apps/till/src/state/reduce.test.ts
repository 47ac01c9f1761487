import { expect, test } from 'vitest'
import { reduce } from './reduce.ts'
import { initialState, maxOutcomes, type Check, type TillEvent, type TillState } from './till-state.ts'

const device = { id: 'd', name: 'Bar', allowed_templates: ['age_over_18', 'club_entry'] }
const check: Check = { key: 'k1', template: 'age_over_18', pressed_ms: 5 }
const session = { id: 'vs_1', wallet_uri: 'openid4vp://?', ttl_ms: 300_000 }
const yes = { word: 'yes' } as const
const at = 1000

const screens = {
  starting: initialState,
  other_tab: on({ name: 'other_tab' }),
  unpaired: on({ name: 'unpaired' }),
  pairing: on({ name: 'pairing', code: 'VD-1' }),
  ready: on({ name: 'ready', device }),
  replace_pairing: on({ name: 'replace_pairing', device, code: 'VD-2' }),
  asking: on({ name: 'asking', device, check }),
  answer: on({ name: 'answer', device, check, answer: yes, portrait: 'data:image/jpeg;base64,AA' }),
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
  pressed: { name: 'pressed', check: { ...check, key: 'k2' } },
  created: { name: 'created', key: 'k1', session },
  answered: { name: 'answered', key: 'k1', at, answer: yes },
  stopped: { name: 'stopped', at },
  next: { name: 'next' },
  portrait_removed: { name: 'portrait_removed' },
  device_changed: { name: 'device_changed', device: { ...device, name: 'Door' } },
} satisfies Partial<Record<TillEvent['name'], TillEvent>>

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
  asking: { pairing_lost: 'pair_again', answered: 'answer', stopped: 'ready' },
  answer: { pairing_lost: 'pair_again', next: 'ready' },
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
  expect(found).toHaveLength(9 * 17)
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
  expect(lost.outcomes).toEqual([{ key: 'k1', at, template: 'age_over_18', word: 'not_checked' }])
  expect(reduce(screens.ready, events.pairing_lost).screen).toMatchObject({ interrupted: false })
})

test('[TILL-5] a portrait goes with the answer, is removed on its own, and is never shown without a Yes', () => {
  const portrait = 'data:image/jpeg;base64,AA'
  const shown = reduce(screens.asking, { ...events.answered, portrait })
  expect(shown.screen).toMatchObject({ portrait })
  expect(JSON.stringify(reduce(shown, { name: 'portrait_removed' }))).not.toContain('data:')
  expect(JSON.stringify(reduce(shown, { name: 'next' }))).not.toContain('data:')
  const no = { word: 'no', reason: 'declined' } as const
  expect(JSON.stringify(reduce(screens.asking, { ...events.answered, answer: no, portrait }))).not.toContain(
    'data:',
  )
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
  expect(Object.keys(state.outcomes[0] ?? {}).toSorted()).toEqual(['at', 'key', 'template', 'word'])
  expect(reduce(state, { name: 'shift_ended' }).outcomes).toEqual([])
})

function on(screen: TillState['screen']): TillState {
  return { ...initialState, screen }
}
