import type { Answer } from './answer.ts'
import {
  maxOutcomes,
  stopped,
  type Check,
  type Outcome,
  type Screen,
  type TillEvent,
  type TillState,
} from './till-state.ts'

/** The till's next state. An event that does not fit the current screen changes nothing: replies may arrive late. */
export function reduce(state: TillState, event: TillEvent): TillState {
  const { screen, online } = state
  switch (event.name) {
    case 'went_offline':
    case 'went_online':
      return { ...state, online: event.name === 'went_online' }
    case 'shift_ended':
      return { ...state, outcomes: [] }
    case 'other_tab_found':
      return screen.name === 'starting' ? show(state, { name: 'other_tab' }) : state
    case 'handed_over':
      return mayHandOver(screen) ? show(state, { name: 'other_tab' }) : state
    case 'opened_unpaired':
      return isOpening(screen) ? show(state, { name: 'unpaired' }) : state
    case 'opened_paired':
      return isOpening(screen) ? show(state, { name: 'ready', device: event.device }) : state
    case 'pairing_lost':
      return losePairing(state, event)
    case 'code_entered':
      return acceptsCode(screen) && online ? show(state, { name: 'pairing', code: event.code }) : state
    case 'link_opened':
      return openLink(state, event.code)
    case 'pairing_kept':
      return screen.name === 'replace_pairing' ? show(state, { name: 'ready', device: screen.device }) : state
    case 'paired':
      if (screen.name !== 'pairing') return state
      return { ...show(state, { name: 'ready', device: event.device }), withdrawn: [] }
    case 'pairing_failed':
      return screen.name === 'pairing' ? show(state, { name: 'unpaired', problem: event.problem }) : state
    case 'pressed':
      return press(state, event.check)
    case 'created':
      if (screen.name !== 'asking' || screen.check.key !== event.key) return state
      return show(state, { ...screen, session: event.session })
    case 'answered':
      return answer(state, event)
    case 'stopped':
      if (screen.name !== 'asking') return state
      return record(
        show(state, { name: 'ready', device: screen.device }),
        screen.check,
        stopped.word,
        event.at,
      )
    case 'next':
      return screen.name === 'answer' ? show(state, { name: 'ready', device: screen.device }) : state
    case 'portrait_removed':
      return screen.name === 'answer' ? show(state, withoutPortrait(screen)) : state
    case 'device_changed':
      return 'device' in screen ? show(state, { ...screen, device: event.device }) : state
  }
}

function show(state: TillState, screen: Screen): TillState {
  return { ...state, screen }
}

/** A tab that waited for another one opens as if it had just started. */
function isOpening({ name }: Screen): boolean {
  return name === 'starting' || name === 'other_tab'
}

/** A tab in the middle of a check or of pairing keeps its turn. */
export function mayHandOver({ name }: Screen): boolean {
  return !['other_tab', 'pairing', 'asking', 'answer'].includes(name)
}

function acceptsCode({ name }: Screen): boolean {
  return name === 'unpaired' || name === 'pair_again' || name === 'replace_pairing'
}

function openLink(state: TillState, code: string): TillState {
  const { screen } = state
  if (screen.name === 'ready' || screen.name === 'replace_pairing')
    return show(state, { name: 'replace_pairing', device: screen.device, code })
  return acceptsCode(screen) ? show(state, { name: 'pairing', code }) : state
}

function press(state: TillState, check: Check): TillState {
  const { screen, online, withdrawn } = state
  if (screen.name !== 'ready' || !online || withdrawn.includes(check.template)) return state
  if (!screen.device.allowed_templates.includes(check.template)) return state
  return show(state, { name: 'asking', device: screen.device, check })
}

function answer(state: TillState, event: Extract<TillEvent, { name: 'answered' }>): TillState {
  const { screen, withdrawn } = state
  if (screen.name !== 'asking' || screen.check.key !== event.key) return state
  const { device, check } = screen
  // A portrait that came with anything but a Yes is not shown.
  const portrait = event.answer.word === 'yes' && event.portrait !== undefined && { portrait: event.portrait }
  const answered = show(state, { name: 'answer', device, check, answer: event.answer, ...portrait })
  const refused = isWithdrawn(event.answer) && !withdrawn.includes(check.template)
  return {
    ...record(answered, check, event.answer.word, event.at),
    withdrawn: refused ? [...withdrawn, check.template] : withdrawn,
  }
}

function isWithdrawn(given: Answer): boolean {
  return given.word === 'not_checked' && given.reason === 'template_withdrawn'
}

/** A check that is in progress ends without an answer, and the screen says so. */
function losePairing(state: TillState, event: Extract<TillEvent, { name: 'pairing_lost' }>): TillState {
  const { screen } = state
  if (screen.name === 'unpaired' || screen.name === 'pairing' || screen.name === 'pair_again') return state
  const interrupted = screen.name === 'asking'
  const lost = show(state, { name: 'pair_again', loss: event.loss, interrupted })
  return interrupted ? record(lost, screen.check, 'not_checked', event.at) : lost
}

function record(state: TillState, { key, template }: Check, word: Outcome['word'], at: number): TillState {
  return { ...state, outcomes: [{ key, at, template, word }, ...state.outcomes].slice(0, maxOutcomes) }
}

function withoutPortrait({ portrait: _removed, ...screen }: Extract<Screen, { name: 'answer' }>): Screen {
  return screen
}
