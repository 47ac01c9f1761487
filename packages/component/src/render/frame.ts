import { isCutOff, isOpen } from '../state/state.ts'
import { drawCode } from './code.ts'
import { applyColours } from './colours.ts'
import { html } from './dom.ts'
import { describeOutcome } from './outcome.ts'
import { buildSheet } from './sheets.ts'
import { adoptStyles } from './styles.ts'
import type { ViewModel } from './view-model.ts'
import { buildView } from './view.ts'

/** The parts of the shadow tree that stay while the view changes. */
export type Frame = {
  shadow: ShadowRoot
  root: HTMLElement
  view: HTMLElement
  time: HTMLElement
  live: HTMLElement
  sheet: HTMLDialogElement
}

export function buildFrame(host: HTMLElement): Frame {
  const shadow = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  adoptStyles(shadow)
  const view = html('div', { class: 'view', part: 'view', tabindex: '-1' })
  const time = html('p', { class: 'time', part: 'time', role: 'timer', hidden: true })
  const live = html('p', { class: 'live', role: 'status' })
  const sheet = html('dialog', { class: 'sheet', part: 'sheet', 'aria-labelledby': 'sheet' })
  const root = html('div', { class: 'root', part: 'root' }, view, time, live, sheet)
  shadow.replaceChildren(root)
  return { shadow, root, view, time, live, sheet }
}

export function renderFrame(frame: Frame, lang: string, model: ViewModel): void {
  const { root, time, live } = frame
  root.lang = lang
  renderView(frame, model)
  renderSheet(frame, model)
  applyColours(root, model.state.session?.merchant.colour)
  if (!isOpen(model.state.step)) time.hidden = true
  const announcement = textToAnnounce(model)
  if (announcement !== live.textContent) live.textContent = announcement
}

/** A code replaces the one before, and nothing else: the holder may be pressing something. */
export function renderCode({ shadow }: Frame, model: ViewModel): void {
  for (const shown of shadow.querySelectorAll('.qr')) shown.replaceWith(drawCode(model))
  for (const life of shadow.querySelectorAll('.life i')) life.replaceWith(html('i'))
}

/** The focus stays on the control it was on, or in the view if that is gone. Unfolded details stay so. */
function renderView({ shadow, view }: Frame, model: ViewModel): void {
  const active = shadow.activeElement
  const inside = active !== null && view.contains(active)
  const unfolded = view.querySelector('details')?.open === true
  view.replaceChildren(...buildView(model))
  const details = view.querySelector('details')
  if (details !== null) details.open = unfolded
  if (inside) (findControl(view, active) ?? view).focus({ preventScroll: true })
}

/** A modal dialog: Escape closes it, and the focus returns to what opened it, although that was drawn again meanwhile. */
function renderSheet({ shadow, sheet, view }: Frame, model: ViewModel): void {
  const { state } = model
  const shown = sheet.dataset['sheet']
  if (state.sheet === undefined) {
    if (shown === undefined) return
    delete sheet.dataset['sheet']
    sheet.close()
    const opener = findControl(view, sheet) ?? view
    return opener.focus({ preventScroll: true })
  }
  const active = shadow.activeElement
  sheet.replaceChildren(...buildSheet(model, state.sheet))
  if (shown === state.sheet) return findControl(sheet, active)?.focus({ preventScroll: true })
  sheet.dataset['sheet'] = state.sheet
  if (shown === undefined) {
    // Sheets that follow it lead back to the same control.
    sheet.dataset['key'] = active?.getAttribute('data-key') ?? 'main'
    sheet.showModal()
  }
  sheet.querySelector('h2')?.focus()
}

function findControl(within: HTMLElement, like: Element | null): HTMLElement | null {
  const key = like?.getAttribute('data-key') ?? ''
  return key === '' ? null : within.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)
}

/** Moves the focus to the title of a new screen, unless the holder is at work elsewhere in the merchant's page. */
export function focusTitle({ shadow, view }: Frame): void {
  const active = document.activeElement
  if (active !== null && active !== document.body && active !== shadow.host) return
  view.querySelector<HTMLElement>('.state .title, [data-key="main"]')?.focus()
}

/** What a screen reader says about a state, beside what has the focus. Empty once there is nothing to say. */
function textToAnnounce(model: ViewModel): string {
  const { state, say } = model
  const { step, session } = state
  if (isCutOff(state) && session !== undefined) return say('offline')
  if (state.recovered) return say('connected')
  if (state.notice !== undefined) return say(state.notice)
  if (state.sheet !== undefined && state.copied !== undefined)
    return say(state.copied ? 'copied' : 'copy_failed')
  switch (step) {
    case 'loading':
    case 'ready':
      return ''
    case 'opened':
    case 'checking':
    case 'not_loaded':
    case 'unavailable':
      return say(step)
    case 'attempted':
      return describeOutcome(model, session?.attempt?.outcome ?? 'try_again')
    case 'completed':
    case 'declined':
    case 'try_again':
    case 'not_accepted':
    case 'expired':
    case 'cancelled':
    case 'used':
      return describeOutcome(model, step)
  }
}
