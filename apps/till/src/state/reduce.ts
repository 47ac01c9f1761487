import { notChecked, type Answer } from './answer.ts'
import {
  maxOutcomes,
  type AskingScreen,
  type Check,
  type Outcome,
  type Panel,
  type Screen,
  type TillEvent,
  type TillState,
} from './till-state.ts'

type EventOf<Name extends TillEvent['name']> = Extract<TillEvent, { name: Name }>

/** The till's next state. An event that does not fit the current screen changes nothing: replies may arrive late. */
export function reduce(state: TillState, event: TillEvent): TillState {
  const { screen, online } = state
  switch (event.name) {
    case 'went_offline':
    case 'went_online':
      return { ...state, online: event.name === 'went_online' }
    case 'settings_read':
      return { ...state, settings: event.settings }
    case 'keep_awake_chosen':
      return { ...state, keep_awake: event.keep_awake }
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
      return screen.name === 'pairing' ? pair(state, event) : state
    case 'pairing_failed':
      if (screen.name !== 'pairing') return state
      return show(state, { name: 'unpaired', problem: event.problem, code: screen.code })
    case 'device_changed':
      return 'device' in screen ? show(state, { ...screen, device: event.device }) : state
    case 'answered_late':
      return { ...state, outcomes: state.outcomes.map((each) => markLate(each, event.key)) }
    case 'interruption_found':
      return recordInterruption(state, event)
    case 'pressed':
      return press(state, event.check)
    case 'created':
      return changeAsking(state, event.key, { open: event.open })
    case 'code_changed':
      return changeAsking(state, event.key, { code: event.code })
    case 'phase_changed':
      return changeAsking(state, event.key, { scanned: event.scanned, failed_once: event.failed_once })
    case 'code_wanted':
      return screen.name === 'asking' ? show(state, { ...screen, code_again: true }) : state
    case 'answered':
      return isAsking(screen, event.key) ? finish(state, screen, event.answer, event.at) : state
    case 'photo_received':
      return receivePhoto(state, event)
    case 'compared':
      return screen.name === 'compare' ? finish(state, screen, decide(event), event.at) : state
    case 'photo_removed':
      if (screen.name !== 'compare') return state
      return finish(state, screen, notChecked(event.reason), event.at)
    case 'stopped':
      if (screen.name !== 'asking') return state
      return record(
        show(state, { name: 'ready', device: screen.device }),
        screen.check,
        notChecked('stopped'),
        event.at,
      )
    case 'next':
      return screen.name === 'answer' ? show(state, { name: 'ready', device: screen.device }) : state
    case 'outcomes_opened':
    case 'settings_opened':
    case 'panel_closed':
    case 'shift_ended':
    case 'pin_entered':
    case 'pin_accepted':
    case 'pin_refused':
      return screen.name === 'ready' ? reducePanel(state, screen, event) : state
  }
}

type PanelEvent = EventOf<
  | 'outcomes_opened'
  | 'settings_opened'
  | 'panel_closed'
  | 'shift_ended'
  | 'pin_entered'
  | 'pin_accepted'
  | 'pin_refused'
>

/** Panels lie over the home screen only, so that whatever leaves it closes them. */
function reducePanel(
  state: TillState,
  screen: Extract<Screen, { name: 'ready' }>,
  event: PanelEvent,
): TillState {
  const { device, panel } = screen
  const open = (next: Panel) => show(state, { name: 'ready', device, panel: next })
  const closed = show(state, { name: 'ready', device })
  const guarded = state.settings?.pin === true
  switch (event.name) {
    case 'outcomes_opened':
      return panel === undefined ? open({ name: 'outcomes' }) : state
    case 'settings_opened':
      if (panel !== undefined) return state
      return open(guarded ? { name: 'pin', purpose: 'settings', checking: false } : { name: 'settings' })
    case 'panel_closed':
      return panel === undefined ? state : closed
    case 'shift_ended':
      if (panel?.name !== 'outcomes') return state
      return guarded
        ? open({ name: 'pin', purpose: 'end_shift', checking: false })
        : { ...closed, outcomes: [] }
    case 'pin_entered':
      return panel?.name === 'pin' ? open({ ...panel, checking: true }) : state
    case 'pin_accepted':
      if (panel?.name !== 'pin') return state
      return panel.purpose === 'settings' ? open({ name: 'settings' }) : { ...closed, outcomes: [] }
    case 'pin_refused':
      return panel?.name === 'pin' ? open({ ...panel, checking: false, problem: event.problem }) : state
  }
}

function show(state: TillState, screen: Screen): TillState {
  return { ...state, screen }
}

/** A tab that waited for another one opens as if it had just started. */
function isOpening({ name }: Screen): boolean {
  return name === 'starting' || name === 'other_tab'
}

/** A tab in the middle of a check or of pairing keeps its turn: a check is stopped first. */
export function mayHandOver({ name }: Screen): boolean {
  return !['other_tab', 'pairing', 'asking', 'compare'].includes(name)
}

/** Whether the screen must not go dark: during a check always, and between checks if the merchant or staff want that. */
export function staysAwake({ screen, settings, keep_awake }: TillState): boolean {
  if (['asking', 'compare', 'answer'].includes(screen.name)) return true
  return screen.name === 'ready' && (keep_awake ?? settings?.keep_awake ?? false)
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

/** The new pairing may be another merchant's. */
function pair({ settings: _former, ...state }: TillState, { device }: EventOf<'paired'>): TillState {
  return { ...show(state, { name: 'ready', device }), withdrawn: [] }
}

/** A check starts from the home screen, or as "Same check again" from the answer to the last one. */
function press(state: TillState, check: Check): TillState {
  const { screen, online, withdrawn } = state
  if (screen.name !== 'ready' && screen.name !== 'answer') return state
  if (!online || withdrawn.includes(check.template)) return state
  const { device } = screen
  if (!device.allowed_templates.includes(check.template)) return state
  return show(state, { name: 'asking', device, check, scanned: false, code_again: false, failed_once: false })
}

function isAsking(screen: Screen, key: string): screen is AskingScreen {
  return screen.name === 'asking' && screen.check.key === key
}

function changeAsking(state: TillState, key: string, change: Partial<AskingScreen>): TillState {
  return isAsking(state.screen, key) ? show(state, { ...state.screen, ...change }) : state
}

/** The document is genuine and fits; whether it is the customer's, staff decide. */
function receivePhoto(state: TillState, { key, id, portrait }: EventOf<'photo_received'>): TillState {
  if (!isAsking(state.screen, key)) return state
  const { device, check } = state.screen
  return show(state, { name: 'compare', device, check, id, portrait })
}

function decide({ same_person }: EventOf<'compared'>): Answer {
  return same_person ? { word: 'yes' } : { word: 'no', reason: 'not_this_person' }
}

function finish(
  state: TillState,
  { device, check }: Extract<Screen, { check: Check }>,
  answer: Answer,
  at: number,
): TillState {
  const { withdrawn } = state
  const refused = isWithdrawn(answer) && !withdrawn.includes(check.template)
  return {
    ...record(show(state, { name: 'answer', device, check, answer }), check, answer, at),
    withdrawn: refused ? [...withdrawn, check.template] : withdrawn,
  }
}

function isWithdrawn(given: Answer): boolean {
  return given.word === 'not_checked' && given.reason === 'template_withdrawn'
}

/** A check that is in progress ends without an answer, and the screen says so. */
function losePairing(state: TillState, event: EventOf<'pairing_lost'>): TillState {
  const { screen } = state
  if (screen.name === 'unpaired' || screen.name === 'pairing' || screen.name === 'pair_again') return state
  const interrupted = screen.name === 'asking' || screen.name === 'compare'
  const lost = show(state, { name: 'pair_again', loss: event.loss, interrupted })
  return interrupted ? record(lost, screen.check, notChecked('interrupted'), event.at) : lost
}

function recordInterruption(state: TillState, event: EventOf<'interruption_found'>): TillState {
  const { key, at, template, late } = event
  const outcome: Outcome = { key, at, template, answer: notChecked('interrupted'), ...(late && { late }) }
  return addOutcome(state, outcome)
}

function record(state: TillState, { key, template }: Check, answer: Answer, at: number): TillState {
  return addOutcome(state, { key, at, template, answer })
}

function addOutcome(state: TillState, outcome: Outcome): TillState {
  return { ...state, outcomes: [outcome, ...state.outcomes].slice(0, maxOutcomes) }
}

function markLate(outcome: Outcome, key: string): Outcome {
  return outcome.key === key ? { ...outcome, late: true } : outcome
}
