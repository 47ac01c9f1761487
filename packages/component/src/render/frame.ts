import { isOpen } from '../state/state.ts'
import type { ComponentTexts } from '../texts.ts'
import { bannerOf } from './banners.ts'
import { applyColours } from './colours.ts'
import { html } from './dom.ts'
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
}

export function buildFrame(host: HTMLElement): Frame {
  const shadow = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  adoptStyles(shadow)
  const view = html('div', { class: 'view', tabindex: '-1' })
  const time = html('p', { class: 'time', role: 'timer', hidden: true })
  const live = html('p', { class: 'live', role: 'status' })
  const root = html('div', { class: 'root' }, view, time, live)
  shadow.replaceChildren(root)
  return { shadow, root, view, time, live }
}

export function renderFrame(frame: Frame, lang: string, model: ViewModel): void {
  const { root, time, live } = frame
  root.lang = lang
  renderView(frame, model)
  applyColours(root, model.state.session?.merchant.colour)
  if (!isOpen(model.state.step)) time.hidden = true
  const announcement = textToAnnounce(model)
  if (announcement !== '' && announcement !== live.textContent) live.textContent = announcement
}

/** The focus stays on the control it was on, or in the view if that is gone. */
function renderView({ shadow, view }: Frame, model: ViewModel): void {
  const active = shadow.activeElement
  const key = active?.getAttribute('data-key') ?? ''
  const inside = active !== null && view.contains(active)
  view.replaceChildren(...buildView(model))
  if (!inside) return
  const again = key === '' ? null : view.querySelector<HTMLElement>(`[data-key="${key}"]`)
  const target = again ?? view
  target.focus({ preventScroll: true })
}

/** Moves the focus to the outcome's title, unless the holder is at work elsewhere in the merchant's page. */
export function focusOutcome({ shadow, view }: Frame): void {
  const active = document.activeElement
  if (active !== null && active !== document.body && active !== shadow.host) return
  view.querySelector<HTMLElement>('.title')?.focus()
}

/** What a screen reader says about a state, beside what has the focus. */
function textToAnnounce(model: ViewModel): string {
  const banner = bannerOf(model)
  const key = banner ?? announcedKey(model)
  return key === undefined ? '' : model.say(key)
}

function announcedKey({ state }: ViewModel): keyof ComponentTexts | undefined {
  const { step } = state
  if (step === 'loading') return undefined
  if (step !== 'ready') return step === 'opened' ? 'opened_title' : step
  if (state.copied === true) return 'copied'
  return state.nothing_happened ? 'nothing_happened' : undefined
}
